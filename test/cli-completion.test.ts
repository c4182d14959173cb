import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { env, main } from "./_binary.js";

/** The scripts in the shells they are for. Whatever is executed leaves a file. */
const HOSTILE = ["tea `touch ran1` $(touch ran2)", `it's "quoted" \\ (touch ran3) id`, "a; touch ran4 #"];
/** Bash takes these for several words. */
const BROKEN = ["note:tea:green", "note:tin", "key=value", "ann@example"];
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
  for (const [at, id] of BROKEN.entries()) await session.remember(`Keeps ${at + 2} cats in the yard`, { id });
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
      `compopt() { :; }; eval "$(pal completion bash)"; COMP_WORDS=(${words.flatMap(broken).map(quote).join(" ")})
       COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE=${quote(words.join(" "))}; COMP_POINT=\${#COMP_LINE}
       _pal_completion pal ${quote(
         broken(words.at(-1) ?? "")
           .at(-1)
           ?.replace(/^[:=]+$/, "") ?? "",
       )} ""
       printf '%s\\n' "\${COMPREPLY[@]}"`,
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
/** A word as bash breaks it before it asks; what it replaces is the last of the pieces. */
const broken = (word: string): string[] =>
  word === "" ? [word] : word.split(/(?<=[:=])(?![:=])|(?<![:=])(?=[:=])|(?=@)/);
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
    expect(ask("get", "")).toHaveLength(HOSTILE.length + BROKEN.length);
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

describe("C290 names that bash breaks into words", () => {
  it.skipIf(!has("bash"))("C290 names with : = and @ are completed from wherever they were left off", () => {
    const ask = (...words: string[]) => ASK.bash?.(["pal", ...words]) ?? [];
    /** What is on the line when the only offer is taken. */
    const completed = (typed: string): string => {
      const [offer, ...others] = ask("get", typed);
      expect([typed, others]).toEqual([typed, []]);
      const replaced =
        broken(typed)
          .at(-1)
          ?.replace(/^[:=]+$/, "") ?? "";
      return `${typed.slice(0, typed.length - replaced.length)}${offer}`;
    };
    for (const [typed, id] of [
      ...["note:te", "note:tea:", "note:tea:g"].map((start) => [start, "note:tea:green"] as const),
      ...["key", "key=", "key=v"].map((start) => [start, "key=value"] as const),
      ...["ann", "ann@", "ann@e"].map((start) => [start, "ann@example"] as const),
    ])
      expect(completed(typed)).toBe(id);
    expect(ask("get", "note:").sort()).toEqual(["tea:green", "tin"]);
  });
});
