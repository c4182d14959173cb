import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { widthOf } from "../src/doors/cli/width.js";
import { Shell } from "./_cli.js";

const golden = fileURLToPath(new URL("golden/cli", import.meta.url));
const COLUMNS = 80;
const ROWS = 24;

/** What differs from run to run, by its kind and as wide as it was. */
const settled = (text: string, home: string): string =>
  text
    .replaceAll(home, "~")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: bars and colours are no part of a page
    .replace(/\r[^\n]*\u001b\[K|\u001b\[\d+m/g, "")
    .replace(/\b[0-9a-f]{64}\b/g, "h".repeat(64))
    .replace(/\b[0-9a-f]{12}\b/g, "h".repeat(12))
    .replace(/\b[0-9a-f]{4,11}…/g, "h…")
    .replace(/\b(?:mem|snap)-[0-9a-f-]{36}\b/g, "ID")
    .replace(/(?<=[\s`/]|^)[0-9a-f]{8}\b/gm, "i".repeat(8))
    .replace(/\d+(?:\.\d+)? ms/g, "N ms")
    .replace(/\d+(?:\.\d+)? (?:kB|MB)/g, "SIZE")
    .replace(/\d+ objects/g, "N objects")
    .replace(/[ \t]+$/gm, "");

let shell: Shell;
let pal: (...args: string[]) => ReturnType<Shell["pal"]>;
beforeAll(async () => {
  // How long ago something was takes more or less room, and texts beside it are cut.
  let now = Date.UTC(2026, 2, 1, 12);
  vi.useFakeTimers({ toFake: ["Date"], now });
  shell = new Shell({
    columns: COLUMNS,
    person: true,
    user: "ann",
    env: { HOME: "/nowhere", PAL_EMBEDDER: "none", TERM: "xterm" },
  });
  pal = (...args) => {
    now += 5;
    vi.setSystemTime(now);
    return shell.pal(...args);
  };
  await pal(
    "remember",
    "Prefers Python for backend work",
    "--topic",
    "language",
    "--message",
    "said at lunch",
  );
  await pal("remember", "The staging server is called wombat", "--id", "staging", "--tag", "ops");
  await pal(
    "remember",
    "Ann has lived in Graz since the spring of the year in which she moved",
    "--id",
    "home",
    "--subject",
    "Ann",
    "--predicate",
    "lives_in",
    "--object",
    "Graz",
    "--attr",
    "TODO=APPROVED",
  );
  await pal("create-branch", "work", "--persona", "worker", "--purpose", "Try another language");
  await pal("checkout", "work");
  await pal("remember", "Prefers Rust for backend work", "--topic", "language");
  await pal("commit", "--message", "Tried it", "--contribution", "Rust works");
  await pal("checkout", "main");
  await pal("remember", "Prefers Zig for backend work", "--topic", "language");
  await pal("snapshot", "tidy");
  await pal("merge", "work");
  await pal("tag", "v1");
});
afterAll(() => {
  vi.useRealTimers();
  shell.remove();
});

/** Every page that people look at, after the same story. */
const PAGES: readonly [name: string, exit: number, ...line: string[]][] = [
  ["status-contested", 0, "status"],
  ["conflicts", 0, "conflicts"],
  ["history", 0, "history", "staging"],
  ["blame", 0, "blame", "home"],
  ["get-triple", 0, "get", "home"],
  ["search", 0, "search", "staging server"],
  ["recall", 0, "recall", "What is the staging server called?"],
  ["why", 0, "why", "The staging server is called wombat"],
  ["view", 0, "view"],
  ["log-graph", 0, "log", "--graph", "--oneline"],
  ["branches", 0, "branches"],
  ["snapshots", 0, "snapshots"],
  ["tags", 0, "tags"],
  ["diff", 0, "diff", "tidy"],
  ["ops", 0, "ops"],
  ["stats", 0, "stats"],
  ["prove", 0, "prove", "staging"],
  ["verify", 0, "verify"],
  ["review-empty", 0, "review"],
  ["playbooks-none", 0, "playbooks", "anything"],
  ["export", 0, "export", "-o", "all.json"],
  ["import-dry", 0, "import", "all.json", "--dry-run"],
  ["rollback-nothing", 0, "rollback", "main"],
  ["not-found", 1, "get", "nothing-here"],
];

describe("C328 the pages of a terminal", () => {
  it.each(PAGES)(
    "C328 %s: at most 24 lines of at most 80 columns, as its golden file",
    async (name, exit, ...line) => {
      const { code, out, err } = await pal(...line);
      expect(code, err).toBe(exit);
      const page = settled(`${out}${err}`, shell.home);
      expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(ROWS);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
      for (const row of out.replace(/\u001b\[\d+m/g, "").split("\n"))
        expect(widthOf(row), row).toBeLessThanOrEqual(COLUMNS);
      const file = join(golden, `${name}.txt`);
      if (process.env.PAL_GOLDEN === "new" && !existsSync(file)) writeFileSync(file, page);
      expect(page).toBe(readFileSync(file, "utf8"));
    },
  );
});
