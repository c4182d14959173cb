import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../src/doors/cli/catalog.js";
import { openStore } from "../src/index.js";
import { Shell } from "./_cli.js";

/** Where an honest answer to the example is no: nothing to find, nothing contested, nothing waiting here. */
const NEGATIVE =
  /^pal (?:recall|why|revert|cherry-pick|merge work(?! --dry)|resolve .* attributes|bisect|persona|delete-branch|review|erase (?:"|--c)|embed|identity$|get .* --at)/;
/** Servers, other people's programs and files, and what is shown by tests of its own. */
const ELSEWHERE =
  /^pal (?:mcp|hook|tour|connect|complete |restore|repair|palace (?:show|move)|persona .*--accept|playbooks|recall --repo|import (?:~|data)|export notes)/;

const examples = (await allCommands()).flatMap(({ examples: all = [] }) => all);
const shell = new Shell({ person: true, env: { HOME: "", PAL_EMBEDDER: "none" } });
let home: string;
let head: string;

/** A memory that has the names of the examples in it. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pal-examples-"));
  const store = await openStore(join(home, "store"), { embedder: "none" });
  const session = store.session({ agent: "tester", trust: "user", clearance: "confidential" });
  await session.remember("Prefers Rust for backend work, as the backend language", { id: "note-8f3a9c2e" });
  await session.remember("Ann prefers Rust for backend work", { id: "note-1f0c9a7e", category: "work" });
  await session.remember("We decided to drop the cache", { id: "my-note", type: "note" });
  for (const name of ["parser", "work", "what-if"]) await session.createBranch(name);
  const other = store.session({ agent: "tester", trust: "user", branch: "work" });
  await other.update("note-8f3a9c2e", { text: "Prefers Zig for backend work" });
  await session.update("note-8f3a9c2e", { text: "Prefers Go for backend work" });
  await session.merge("work");
  await session.snapshot();
  head = (await session.log({ limit: 2 }))[1]!.commit;
  await store.close();
  const cwd = join(home, "cwd");
  for (const folder of [
    "notes/vault",
    ".claude/projects",
    ".mempalace",
    "data/memory",
    "palace",
    "saved",
    "docs/runbooks",
  ])
    mkdirSync(join(cwd, folder), { recursive: true });
  writeFileSync(join(cwd, "notes/todo.md"), "# Todo\n\nBuy tea.\n");
  writeFileSync(join(cwd, "notes/vault/A.md"), "# A\n\nSee [[B]].\n");
  writeFileSync(join(cwd, "todo.org"), "* Buy tea\n");
  writeFileSync(join(cwd, "facts.jsonl"), '{"text":"Likes tea"}\n');
  writeFileSync(join(cwd, "memories.json"), '{"memories":[{"text":"Likes jam"}]}');
  writeFileSync(
    join(cwd, "memory.jsonl"),
    '{"type":"entity","name":"Ann","entityType":"person","observations":["Likes tea"]}\n',
  );
  writeFileSync(
    join(cwd, "data/memory/vault.jsonl"),
    '{"content":"Likes tea","scope":"global","tier":"canon"}\n',
  );
  for (const name of ["chat.json", "chat.jsonl", "chat.txt", "conversation.txt"])
    writeFileSync(join(cwd, name), "User: My name is Bob and I live in Paris.\n");
});
afterAll(() => {
  shell.remove();
  rmSync(home, { recursive: true, force: true });
});

/** The words of a line as a shell reads them; where its output goes is not for us. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ >.*$/, "").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? "",
  );

/** What an example needs to be there before it. */
const BEFORE: readonly (readonly [RegExp, ...string[]])[] = [
  [/before-the-cleanup --all/, "snapshot before-the-cleanup"],
  [/(?:list|view) --at before-the-move|--delete v1/, "tag before-the-move", "tag v1"],
  [/verify-proof proof/, "prove 8f3a9c2e -o proof.json"],
  [
    /verify-proof past/,
    "--scopes '*' --clearance confidential prove --consistency 9f3a1c2b4d5e -o past.json",
  ],
  [/^pal promote/, "scratch add ticket 4711 --session s1"],
  [/hand-over .*--take/, "hand-over work.json"],
  [/^pal rollback$/, "remember Likes-jam"],
  [/rename-branch|delete-branch/, "checkout main"],
  [/^pal create-branch/, "rename-branch work work-1", "rename-branch what-if what-if-1"],
];

describe("C264 the examples of the help", () => {
  it.each(examples.filter((line) => !ELSEWHERE.test(line)))("C264 %s", async (line) => {
    rmSync(shell.store, { recursive: true, force: true });
    rmSync(shell.cwd, { recursive: true, force: true });
    cpSync(join(home, "store"), shell.store, { recursive: true });
    cpSync(join(home, "cwd"), shell.cwd, { recursive: true });
    const [, said] = /^echo '(.*?)' \| /.exec(line) ?? [];
    const pal = shell.with({
      stdin: said ?? "",
      env: { HOME: shell.cwd, PAL_HOME: shell.store, PAL_EMBEDDER: "none" },
    });
    const typed = (text: string) =>
      wordsOf(
        text
          .replace(/^echo .*? \| /, "")
          .replaceAll(/9f3a1c2b4d5e[0-9a-f]*/g, head)
          .replaceAll(/(?<!\w)~/g, shell.cwd),
      ).filter((word) => word !== "pal");
    // What the examples of importing read is no export of ours.
    if (line.startsWith("pal export"))
      for (const name of ["memories.json", "memory.jsonl"]) rmSync(join(shell.cwd, name), { force: true });
    for (const [, ...lines] of BEFORE.filter(([pattern]) => pattern.test(line)))
      for (const before of lines) await pal(...typed(before));
    const { code, out, err } = await pal(...typed(line));
    expect(NEGATIVE.test(line) ? [0, 1] : [0], `${out}${err}`).toContain(code);
  });
});
