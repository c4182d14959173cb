import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { env, main } from "./_binary.js";

/** The scripts in the shells they are for. Whatever is executed leaves a file. */
const HOSTILE = ["tea `touch ran1` $(touch ran2)", `it's "quoted" \\ (touch ran3) id`, "a; touch ran4 #"];
const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pal-completion-"));
  mkdirSync(join(home, "bin"));
  const pal = join(home, "bin", "pal");
  writeFileSync(pal, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(pal, 0o755);
  const store = await openStore(join(home, "store"), { embedder: "none" });
  const session = store.session({ agent: "ann" });
  const texts = ["Likes green tea", "Rides a bike to work", "Lives in Graz"];
  for (const [at, id] of HOSTILE.entries()) await session.remember(texts[at] as string, { id });
  await session.createBranch("work", { purpose: "Try $(touch ran5) and `touch ran6`" });
  await store.close();
  mkdirSync(join(home, "cwd"));
  writeFileSync(join(home, "cwd", "file $(touch ran7).md"), "# A\n");
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function inShell(shell: string, script: string): string[] {
  const place = { cwd: join(home, "cwd"), store: join(home, "store") };
  const { stdout, stderr } = spawnSync(shell, ["-c", script], {
    ...{ cwd: place.cwd, encoding: "utf8" },
    env: { ...env(place), PATH: `${join(home, "bin")}:${process.env.PATH}` },
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

/** Asks for completions of lines; the answers as the shell would put them on the line. */
const ASK: Readonly<Record<string, (words: readonly string[]) => string[]>> = {
  bash: (words) =>
    inShell(
      "bash",
      `compopt() { :; }; eval "$(pal completion bash)"; COMP_WORDS=(${words.map(quote).join(" ")}); COMP_CWORD=${words.length - 1}
       _pal_completion pal "\${COMP_WORDS[COMP_CWORD]}" ""; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  zsh: (words) =>
    inShell(
      "zsh",
      `compdef() { :; }; compadd() { print -rl -- "\${(@q)values}"; }; _files() { :; }; eval "$(pal completion zsh)"
       words=(${words.map(quote).join(" ")}); CURRENT=${words.length}; _pal; true`,
    ),
  fish: (words) =>
    inShell("fish", `pal completion fish | source; complete -C ${quote(words.join(" "))}`).map(
      (line) => line.split("\t")[0] as string,
    ),
};
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

describe.each(Object.keys(ASK))("C262 completion in %s", (shell) => {
  const ask = (...words: string[]) => ASK[shell]?.(["pal", ...words]) ?? [];
  const ran = () =>
    [...readdirSync(join(home, "cwd")), ...readdirSync(home)].filter((name) => /^ran\d/.test(name));

  it.skipIf(!has(shell))(`C262 commands, options, branches and ids (needs ${shell})`, () => {
    expect(ask("mer")).toEqual(["merge"]);
    expect(ask("merge", "w")).toEqual(["work"]);
    expect(ask("log", "--onel")).toEqual(["--oneline"]);
    expect(ask("export", "--format", "js")).toEqual(["json", "jsonl"]);
    expect(ask("get", "")).toHaveLength(HOSTILE.length);
  });

  it.skipIf(!has(shell))(`C262 nothing that is typed or known is executed (needs ${shell})`, () => {
    expect(ask("remember", '"$(touch ran8)', "--top")).toEqual(
      shell === "fish" ? expect.anything() : ["--topic"],
    );
    ask("remember", "`touch ran9`", "");
    ask("get", "$(touch ran10)");
    const [offered = ""] = ask("get", "tea");
    expect(offered).toContain("touch");
    // What is put on the line is one word again: the id.
    if (shell !== "fish") expect(inShell(shell, `printf '%s\\n' ${offered}`)).toEqual([HOSTILE[0]]);
    expect(ran()).toEqual([]);
    expect(existsSync("ran9")).toBe(false);
  });
});
