import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATALOG } from "../src/doors/cli/catalog.js";
import type { Command } from "../src/doors/cli/command.js";
import { FORMATS, command as importCommand } from "../src/doors/cli/commands/import.js";
import { SETTINGS } from "../src/doors/cli/config-file.js";
import { headingOf } from "../src/doors/cli/groups.js";
import { OUTLINES } from "../src/doors/cli/outline-table.js";
import { outlinesOfAll } from "../src/doors/cli/outlines.js";
import { memoryStorage } from "../src/index.js";
import { IMPORT_FORMATS, openStore } from "../src/session/index.js";
import { Shell } from "./_cli.js";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Tables as they are written, however wide a formatter made them. */
const plain = (text: string): string => text.replace(/ *\| */g, "|").replace(/-{3,}/g, "---");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (path) => `${folder}/${path.replaceAll("\\", "/")}`,
  );
/** The index of rules, and the rules of each room. */
const SPECS = ["SPEC.md", ...filesIn("src").filter((path) => path.endsWith("/SPEC.md"))];
const rulesOf = (paths: readonly string[]): string[] =>
  paths.flatMap((path) =>
    [...read(path).matchAll(/^- \*\*([A-Z]+\d+)\*\*/gm)].map(([, number = ""]) => number),
  );

it("C220 the reference of commands is what the definitions say; `npm run docs` writes it", async () => {
  const shell = new Shell();
  const { out } = await shell.pal("docs");
  shell.remove();
  expect(plain(out)).toBe(plain(read("docs/commands.md")));
  for (const name of Object.keys(CATALOG))
    if (!["complete", "docs"].includes(name)) expect(out).toContain(`### ${name}\n`);
});

it("C220 the table of commands in the help is what they say of themselves; `npm run docs` writes it", async () => {
  expect(OUTLINES).toEqual(await outlinesOfAll());
});

it("C221 every command has a heading of its own in the help, and the formats of import are those of the library", () => {
  for (const name of Object.keys(CATALOG).filter((one) => !["complete", "docs"].includes(one)))
    expect(headingOf(name), name).not.toBe("More");
  expect([...FORMATS].sort()).toEqual([...IMPORT_FORMATS, "image"].sort());
  expect(importCommand.options?.[0]?.choices).toBe(FORMATS);
});

interface Alias {
  readonly theirs: string;
  readonly ours: string;
  readonly kind: string;
}

const page = read("docs/from-the-documents.md");
const aliases: Alias[] = [...page.matchAll(/^\| (.+?) \| ([^|]+?) \| ([a-z ]+?) \|$/gm)]
  .map(([, theirs = "", ours = "", kind = ""]) => ({
    theirs: theirs.trim(),
    ours: ours.trim(),
    kind: kind.trim(),
  }))
  .filter(({ kind }) => kind !== "kind" && kind !== "ours");

describe("C222 every name in the documents leads to one of ours", async () => {
  const store = await openStore(memoryStorage());
  const session = store.session({ agent: "orion", trust: "user" });
  await session.remember({
    triple: { subject: "Ann", predicate: "likes", object: "tea" },
    ...{ type: "note", category: "x", tags: ["y"], confidence: 0.5, evidence: "said so", topic: "drinks" },
  });
  const { id } = (await session.remember("Below", { type: "note", id: "below" })) as { id: string };
  await session.remember("Child", { type: "note", parent: id });
  await session.remember("Tea", { topic: "drink", tier: "canon" });
  const fields = new Set((await session.list()).flatMap((memory) => Object.keys(memory)));
  await store.close();
  const surface = read("test/api.snapshot.txt");
  const tools = read("src/doors/mcp/tools/semantic-search.ts") + toolsText();
  const spec = rulesOf(SPECS);

  const commands = new Map<string, Command>();
  for (const [name, load] of Object.entries(CATALOG)) commands.set(name, (await load()).command);

  const resolvers: Readonly<Record<string, (name: string) => boolean>> = {
    command: (name) => {
      const [first = "", ...rest] = name.split(" ");
      const { args = [], options = [] } = commands.get(first) ?? {};
      const [flags, words] = [options.map((one) => one.flags), args.map((one) => one.description)];
      return (
        commands.has(first) &&
        rest.every((word) =>
          (word.startsWith("--") ? flags : words).some((text) => text.split(/[ ,]+/).includes(word)),
        )
      );
    },
    verb: (name) => typeof (session as unknown as Record<string, unknown>)[name] === "function",
    store: (name) => typeof (store as unknown as Record<string, unknown>)[name] === "function",
    export: (name) => new RegExp(`\\b${name}\\b`).test(surface),
    tool: (name) => tools.includes(`name: "${name}"`),
    field: (name) => fields.has(name),
    setting: (name) => Object.hasOwn(SETTINGS, name),
    file: (name) => existsSync(join(root, name)),
    format: (name) => (FORMATS as readonly string[]).includes(name),
    env: (name) => read("src/documents/verbs/image.ts").includes(name),
    rule: (name) => spec.includes(name),
  };

  it.each(aliases)("C222 $theirs → $ours ($kind)", ({ ours, kind }) => {
    expect(resolvers[kind]?.(ours)).toBe(true);
  });

  it("C222 the names that the documents define are all there, and nothing resolves by accident", () => {
    expect(aliases.length).toBeGreaterThan(120);
    for (const name of NAMES) expect(page, name).toContain(name);
    for (const resolve of Object.values(resolvers)) expect(resolve("no-such-name")).toBe(false);
    for (const no of ["list --no-such-option", "palace no-such-word"])
      expect(resolvers.command?.(no)).toBe(false);
    expect(page).not.toContain("2505.20787");
    expect(page).toContain("2508.00031");
  });
});

function toolsText(): string {
  const names = ["add", "branch", "consolidate", "forget", "history", "search", "update"];
  return names.map((name) => read(`src/doors/mcp/tools/${name}.ts`)).join("\n");
}

/** What the documents define: functions, variables, classes, files, tools, commands and settings. */
const NAMES = [
  ...["memory-object-get", "memory-objects-by-attribute", "memory-id-generate", "deep-copy-memory-object"],
  ...["memory-merkle-hash", "ingest-ast", "memory-hash-table-copy", "snapshot-memory", "rollback-memory"],
  ...["memory-snapshot-path-ensure", "save-memory-to-disk", "load-memory-from-disk", "make-load-form"],
  ...["*memory-store*", "*memory-history*", "*memory-snapshots*", "*memory-snapshot-path*", "log-message"],
  ...["org-object", "compute-merkle-hash", "copy-hash-table", "cosine-similarity", "get-embedding"],
  ...["ensure-memory-snapshot-path", "file-name-nondirectory", "find-headline-missing-id", "lookup-object"],
  ...["list-objects-by-type", "list-objects-with-attribute", "org-id-new", "semantic-search"],
  ...["*embedding-cache*", "*history-store*", "*object-store-snapshots*", "harness-log"],
  ...["PalaceRoom", "Mempalace", "for_issue_analysis", "for_health_check", "for_code_review"],
  ...["retrieval_enforcer.py", "scratchpad.py", "wakeup.py", "mempalace.py", "promote_to_palace"],
  ...["identity.txt", "mempalace.yaml", "timmy-config", "hermes-agent", "alexander", "fleet"],
  ...["types.py", "vault.py", "pii_guard.py", "injector.py", "MemoryVault", "vault.jsonl", "topic_id"],
  ...["add_memory", "bulk_add", "update_by_topic", "find_consolidation_candidates", "propose_deletions"],
  ...["promote_to_canon", "build_snapshot", "build_snapshot_block", "build_memory_block", "vault_stats"],
  ...["memory.enabled", "memory.scopes", "memory.max_items", "memory.similarity_threshold", "compact()"],
  ...["MemoryEvent", "MemoryCommit", "MemoryBranch", "EventLedger", "BranchManager", "MemoryView"],
  ...["MemoryController", "process_conversation", "maybe_switch_persona", "create_branch", "switch_branch"],
  ...["get_memory_view", "store.search", "to_context_string", "merge_branch", "cherry_pick"],
  ...["event.py", "commit.py", "branch.py", "hash.py", "ledger.py", "store.py", "branches.py", "view.py"],
  ...["controller.py", "visualize.py", "tools/memory.py", "__init__.py", "resolve_conflict"],
  ...["memory_search", "memory_add", "memory_update", "memory_forget", "memory_branch", "memory_history"],
  ...["memory_consolidate", "memory log", "memory graph", "memory export", "memory stats"],
];

describe("the README", () => {
  const text = read("README.md");
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(root, ".bench-readme-"));
    writeFileSync(join(folder, "readme.ts"), code);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const pal = join(root, "dist/doors/cli/main.js");
  const runIn = (env: Readonly<Record<string, string>>, file: string, ...args: string[]) =>
    spawnSync(process.execPath, [file, ...args], {
      ...{ encoding: "utf8", cwd: root },
      env: { ...process.env, PAL_EMBEDDER: "none", ...env },
    });
  const run = (file: string, ...args: string[]) => runIn({ PAL_HOME: join(folder, "store") }, file, ...args);

  it("C258 the program in the README is one: its types are those of the package", () => {
    const options =
      "--ignoreConfig --strict --noEmit --skipLibCheck --target es2022 --lib es2023 --module nodenext --types node";
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    expect(run(tsc, ...options.split(" "), join(folder, "readme.ts")).stdout).toBe("");
  });

  it("C403 the program in the README runs to its end, and what it asks is answered", async () => {
    const file = join(folder, "readme.mjs");
    writeFileSync(file, (await transform(code, { loader: "ts" })).code);
    expect(run(file)).toMatchObject({ status: 0, stderr: "" });
    expect(run(pal, "recall", "Which language on the backend?").stdout).toContain("Rust");
  });

  it("C403 the example on the first screen of the README prints what the README says", () => {
    const [, example = ""] = /```\n(\$ pal remember [\s\S]*?)```/.exec(text) ?? [];
    const calls = example.split(/^\$ pal /m).slice(1);
    expect(calls.length).toBeGreaterThan(3);
    const env = { PAL_HOME: join(folder, "example"), PAL_AGENT: "ann", PAL_JUDGE: "small" };
    for (const call of calls) {
      const [line = "", ...printed] = call.trimEnd().split("\n");
      const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
      expect(masked(runIn(env, pal, ...args).stdout), line).toBe(masked(`${printed.join("\n")}\n`));
    }
  });
});

/** What differs from day to day. */
const masked = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d UTC)?/g, "<time>").replace(/\b[0-9a-f]{12}\b/g, "<commit>");

it("C404 an uncaught error of the library prints a line of code, not a file of it", () => {
  const code = `import { openStore } from "palimpsest"; await (await openStore("unused")).session().remember("")`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    ...{ encoding: "utf8", cwd: root },
  });
  expect(stderr).toContain("INVALID_TEXT");
  expect(stderr.length).toBeLessThan(3_000);
});

describe("C406 the rules", () => {
  const numbers = rulesOf(SPECS);
  const known = new Set(numbers);

  it("C406 every number stands for one rule, in one file", () => {
    expect(numbers.length).toBeGreaterThan(1_000);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
    for (const path of SPECS) {
      expect(rulesOf([path]).length, path).toBeGreaterThan(0);
      expect(read(path).match(/\*\*[A-Z]+\d+\*\*/g), path).toHaveLength(rulesOf([path]).length);
    }
  });

  const isTest = (path: string) =>
    /\.test\.ts$|\/_[^/]+$|\/contract(\/|\.ts$)/.test(path) ||
    (path.startsWith("test/") && path.endsWith(".ts"));
  const tests = [...filesIn("src"), ...filesIn("test")].filter(isTest).map(read).join("\n");

  it("C406 every rule is named by a test", () => {
    const named = new Set(tests.match(/\b[A-Z]+\d+\b/g));
    expect(numbers.filter((number) => !named.has(number))).toEqual([]);
  });

  it("C406 every test that begins with a number names a rule", () => {
    const begun = [...tests.matchAll(/\b(?:it|test|describe)\b[^"'`\n]*\(\s*["'`]([A-Z]{1,2}\d+)(?= )/g)];
    expect(begun.length).toBeGreaterThan(1_000);
    expect(begun.map(([, number = ""]) => number).filter((number) => !known.has(number))).toEqual([]);
  });

  it("C406 the index leads to every room's rules, names their letters, and maps to rules that are there", () => {
    const index = read("SPEC.md");
    for (const path of SPECS.slice(1)) {
      const [row] = index.match(new RegExp(`^\\| \\[.*\\]\\(${path}\\).*$`, "m")) ?? [];
      const letters = new Set(rulesOf([path]).map((number) => number.replace(/\d+/, "")));
      expect(new Set(row?.split("|")[3]?.trim().split(", ")), path).toEqual(letters);
    }
    const map = index.slice(index.indexOf("## Acceptance items"));
    const last = [...map.matchAll(/^\|.*\|([^|]*)\|$/gm)].map(([, cell]) => cell).join(" ");
    // The second number of a range says how far it goes; a rule within it may be gone.
    const meant = [...last.matchAll(/(?<!–)\b[A-Z]+\d+\b/g)].map(([number]) => number);
    expect(meant.length).toBeGreaterThan(300);
    expect(meant.filter((number) => !known.has(number))).toEqual([]);
  });
});
