import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BetaLocalFilesystemMemoryTool, betaMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type MemoryCommands, type MemoryHandlers, memoryHandlers } from "../src/doors/anthropic/handlers.js";
import { memoryStorage, openStore, type Session, type Store } from "../src/index.js";
import { TORTURE } from "./_processes.js";

let store: Store;
let session: Session;
let ours: MemoryHandlers;
beforeEach(async () => {
  store = await openStore(memoryStorage());
  session = store.session({ agent: "claude" });
  ours = memoryHandlers(session);
});
afterEach(() => store.close());

type Command = { [K in keyof MemoryCommands]: { command: K } & MemoryCommands[K] }[keyof MemoryCommands];
type Answer = { readonly text: string } | { readonly error: string };

async function ask(handlers: object, { command, ...rest }: Command): Promise<Answer> {
  try {
    const handler = (handlers as Record<string, (given: object) => Promise<unknown>>)[command];
    return { text: (await handler?.call(handlers, { command, ...rest })) as string };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** The size of a directory is the file system's business. */
const withoutSizes = (text: string): string =>
  text.startsWith("Here're the files")
    ? text
        .split("\n")
        .map((row, at) => (at === 1 || row.endsWith("/") ? row.replace(/^[^\t]+/, "4K") : row))
        .join("\n")
    : text;

/** What the operating system says is nothing to copy; that it refuses is. */
function same(mine: Answer, other: Answer): void {
  if ("text" in other) expect(mine).toEqual({ text: withoutSizes(other.text) });
  else if (/^E[A-Z]+:|null bytes/.test(other.error)) expect(mine).toHaveProperty("error");
  else expect(mine).toEqual(other);
}

const PATHS = [
  ...["/memories", "/memories/", "/memories/a.md", "/memories/b.md", "/memories/d", "/memories/d/a.md"],
  ...["/memories/d/e/f.md", "/memories/d/e/g/h.md", "/memories/.hidden", "/memories/node_modules/x"],
  ...["/memories/../memories/a.md", "/memories/../x", "/memoriesx", "/etc/passwd", "/memories//b.md"],
  ...[
    "/memories/./d/",
    "/memories/d/../../memories/b.md",
    "/memories/ü ñ.md",
    "a.md",
    "/memories/../../memories/a",
  ],
  ...["/memories/a.md/below", "/memories/..", "/memories/..a", "/memories/%2e%2e/x", "/memories/d/"],
];
const path = fc.constantFrom(...PATHS);
const text = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "one",
    "one\ntwo\nthree\n",
    "a\r\nb",
    "x\nx",
    "one one",
    "$&",
    "\ufefftab\t",
    "half \ud800",
  ),
  fc.array(fc.constantFrom("one", "two", "", "three $1"), { maxLength: 12 }).map((lines) => lines.join("\n")),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);
const line = fc.integer({ min: -2, max: 8 });
const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    ...{ command: fc.constant("view" as const), path },
    view_range: fc.option(fc.tuple(line, line), { nil: undefined }),
  }),
  fc.record({ command: fc.constant("create" as const), path, file_text: text }),
  fc.record({
    ...{ command: fc.constant("str_replace" as const), path, new_str: text },
    // Of several lines: ours finds them, the reference never does (CP24).
    old_str: text.map((one) => one.split("\n")[0] as string),
  }),
  fc.record({ command: fc.constant("insert" as const), path, insert_line: line, insert_text: text }),
  fc.record({ command: fc.constant("delete" as const), path }),
  fc.record({ command: fc.constant("rename" as const), old_path: path, new_path: path }),
);

it("CP20 answers every sequence of commands as the SDK's own file system does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 1, maxLength: 25 }), async (sequence) => {
      const folder = mkdtempSync(join(tmpdir(), "pal-anthropic-"));
      const theirs = await BetaLocalFilesystemMemoryTool.init(folder);
      const own = memoryHandlers(store.session({ agent: "claude", scopes: ["agent/x"], home: "agent/x" }));
      try {
        for (const command of sequence) {
          const mine = await ask(own, command);
          // A failed rename makes folders in the reference (CP23).
          if (
            command.command === "rename" &&
            "error" in mine &&
            !/ destination |must start|escape/.test(mine.error)
          )
            continue;
          same(mine, await ask(theirs, command));
        }
        for (const shown of ["/memories", "/memories/d", "/memories/d/e"]) {
          const view = { command: "view", path: shown } as const;
          same(await ask(own, view), await ask(theirs, view));
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
        await ask(own, { command: "delete", path: "/memories/d" });
        for (const { id, scope } of await store.session({ scopes: ["agent/x"] }).list())
          await store.session({ scopes: ["agent/x"] }).forget(id, { scope });
      }
    }),
    { numRuns: TORTURE ? 3_000 : 200 },
  );
});

it("CP21 goes into the SDK's memory tool as it is", async () => {
  const tool = betaMemoryTool(ours);
  const run = (input: object) => tool.run(input as never);
  expect(await run({ command: "create", path: "/memories/a.md", file_text: "tea" })).toBe(
    "File created successfully at: /memories/a.md",
  );
  expect(await run({ command: "view", path: "/memories" })).toContain("3B\t/memories/a.md");
});

it("CP22 every command that changes something is one commit, and no other makes one", async () => {
  const messages = async () => (await session.log({ limit: 100 })).map(({ message }) => message);
  await ours.create({ path: "/memories/x/y/a.md", file_text: "one\ntwo" });
  await ours.create({ path: "/memories/x/b.md", file_text: "" });
  await ours.str_replace({ path: "/memories/x/y/a.md", old_str: "two", new_str: "three" });
  await ours.insert({ path: "/memories/x/b.md", insert_line: 0, insert_text: "hello" });
  await ours.rename({ old_path: "/memories/x", new_path: "/memories/z/w" });
  await ours.view({ path: "/memories" });
  await expect(ours.delete({ path: "/memories/gone" })).rejects.toThrow("does not exist");
  await ours.delete({ path: "/memories/z" });
  expect(await messages()).toEqual([
    "delete /memories/z",
    "rename /memories/x to /memories/z/w",
    "edit /memories/x/b.md",
    "edit /memories/x/y/a.md",
    "create /memories/x/b.md",
    "create /memories/x/y/a.md",
  ]);
  await session.undo();
  expect(await ours.view({ path: "/memories/z/w/y/a.md" })).toContain("     2\tthree");
});

it("CP23 a rename that fails changes nothing", async () => {
  await ours.create({ path: "/memories/a/b.md", file_text: "x" });
  await expect(ours.rename({ old_path: "/memories/no", new_path: "/memories/n/m" })).rejects.toThrow(
    "The path /memories/no does not exist",
  );
  await expect(ours.rename({ old_path: "/memories/a", new_path: "/memories/a/c/d" })).rejects.toThrow();
  await expect(ours.create({ path: "/memories/a/b.md/c", file_text: "x" })).rejects.toThrow("below a file");
  expect(await session.log()).toHaveLength(1);
});

it("CP24 a text of several lines is replaced where it stands once", async () => {
  await ours.create({ path: "/memories/a", file_text: "one\ntwo\nthree\none\ntwo" });
  await expect(ours.str_replace({ path: "/memories/a", old_str: "one\ntwo", new_str: "x" })).rejects.toThrow(
    "Multiple occurrences of old_str `one\ntwo` in lines: 1, 4.",
  );
  expect(await ours.str_replace({ path: "/memories/a", old_str: "two\nthree", new_str: "2" })).toBe(
    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tone\n     2\t2\n     3\tone\n     4\ttwo",
  );
});

it("CP25 no path leads out, and nothing is ever on the disk (B17)", async () => {
  const before = readdirSync(process.cwd());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("..", ".", "", "memories", "etc", "a", "..\\", "%2e%2e", "\u0000", "~"), {
        maxLength: 8,
      }),
      async (parts) => {
        const given = `/memories/${parts.join("/")}`;
        const answer = await ask(ours, { command: "create", path: given, file_text: "x" });
        if ("error" in answer) expect(answer.error).toMatch(/escape|already exists|below a file/);
        for (const { attributes } of await session.list())
          expect(String(attributes.path).split("/")).not.toContain("..");
      },
    ),
    { numRuns: 100 },
  );
  expect(readdirSync(process.cwd())).toEqual(before);
});

it("CP26 two sessions that edit one file at once lose nothing", async () => {
  await ours.create({ path: "/memories/a", file_text: "start" });
  const other = memoryHandlers(store.session({ agent: "other" }));
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 ? ours : other).insert({ path: "/memories/a", insert_line: 1, insert_text: `line ${at}` }),
    ),
  );
  const lines = (await ours.view({ path: "/memories/a" })).split("\n").slice(1);
  expect(lines).toHaveLength(21);
});

it("CP27 secrets are cut out, and the answer says so", async () => {
  const secret = `AKIA${"Z7Q2M5XW9RT4LK8P"}`;
  expect(await ours.create({ path: "/memories/a", file_text: `key ${secret}` })).toBe(
    "File created successfully at: /memories/a\nNot kept, because memory holds no secrets: secret.",
  );
  expect(await ours.view({ path: "/memories/a" })).not.toContain(secret);
});
