import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryHandlers } from "../src/doors/anthropic/index.js";
import * as library from "../src/index.js";
import { PalimpsestError } from "../src/index.js";
import { filled, optionsOf, VERBS, verbsOfSession } from "./_every-verb.js";
import { WRONG, withWrong } from "./_wrong-shapes.js";

type Call = (...given: unknown[]) => unknown;

/** The verbs of an object: what its classes have, without what they begin with `#`. */
function verbsOf(target: object): string[] {
  const names = new Set<string>();
  for (let at = target; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at))
      if (typeof Object.getOwnPropertyDescriptor(at, name)?.value === "function") names.add(name);
  names.delete("constructor");
  return [...names];
}

/** Calls one and says what is wrong with how it ended, if anything is. */
async function problemOf(
  run: () => unknown,
  isMeant: (error: unknown) => boolean,
): Promise<string | undefined> {
  try {
    const answer = await run();
    // What is made while it is read has to end so too.
    const { parts } = (answer ?? {}) as { parts?: AsyncIterable<string> };
    if (parts) for await (const _ of parts);
    return undefined;
  } catch (error) {
    if (isMeant(error)) return undefined;
    return error instanceof Error
      ? (error.stack ?? error.message).split("\n").slice(0, 6).join(" ")
      : `throws ${typeof error}`;
  }
}

/** Every call of a verb with one thing wrong. */
function* callsOf(args: readonly unknown[], options: readonly string[]): Generator<[string, unknown[]]> {
  yield ["nothing", []];
  for (const [what, wrong] of Object.entries(WRONG)) {
    for (const [at, arg] of args.entries())
      for (const given of withWrong(arg, wrong)) yield [`${what} in ${at}`, args.with(at, given)];
    yield [`${what} as options`, [...args, wrong()]];
    for (const option of options) yield [`${what} as ${option}`, [...args, { [option]: wrong() }]];
  }
}

const folder = mkdtempSync(join(tmpdir(), "pal-wrong-"));
const { MEMORY_SNAPSHOT_PATH } = process.env;
beforeAll(() => {
  process.env.MEMORY_SNAPSHOT_PATH = join(folder, "default.snap");
});
afterAll(() => {
  if (MEMORY_SNAPSHOT_PATH === undefined) delete process.env.MEMORY_SNAPSHOT_PATH;
  else process.env.MEMORY_SNAPSHOT_PATH = MEMORY_SNAPSHOT_PATH;
  rmSync(folder, { recursive: true, force: true });
});
writeFileSync(join(folder, "a.md"), "# About\n\nA line.\n");
writeFileSync(join(folder, "a.json"), JSON.stringify({ memories: [{ text: "A line", tags: ["b"] }] }));

/** What verbs work on that the table has no place for. */
const ON: Readonly<Record<string, readonly unknown[]>> = {
  transaction: [() => 1],
  guarded: [() => 1],
  propose: ["idea", () => 1],
  ingest: [join(folder, "a.md")],
  import: [join(folder, "a.json")],
  syncPalace: [join(folder, "palace")],
};

/** Calls a verb of an object with everything wrong, and tells what ended otherwise than it should. */
async function toldOf(
  call: (args: readonly unknown[]) => unknown,
  args: readonly unknown[],
  options: readonly string[],
  isMeant: (error: unknown) => boolean = (error) => error instanceof PalimpsestError,
): Promise<void> {
  const problems = new Map<string, string[]>();
  for (const [what, given] of callsOf(args, options)) {
    const problem = await problemOf(() => call(given), isMeant);
    if (problem !== undefined) problems.set(problem, [...(problems.get(problem) ?? []), what]);
  }
  if (problems.size > 0)
    expect.fail(
      [...problems]
        .map(([problem, whats]) => `${whats.length} calls, such as ${whats[0]}: ${problem}`)
        .join("\n"),
    );
}

const { pal: sample, store: shop } = await filled();
const sampleGraph = await sample.knowledgeGraph();
const sampleFiles = await sample.fileTree();
afterAll(() => shop.close());

describe("arguments of a wrong shape", () => {
  const verbs = verbsOfSession(sample);

  it.each(verbs)("U780 %s of a session", async (verb) => {
    const { store, pal } = await filled();
    const args = ON[verb] ?? VERBS[verb];
    if (!args) throw new Error(`Say in _every-verb.ts how ${verb} is called.`);
    const options = await optionsOf(verb, args as never);
    const call = (given: readonly unknown[]) => verbOf(pal, verb)(...given);
    await toldOf(call, args, options);
    await store.close();
  });

  it.each(verbsOf(Object.getPrototypeOf(shop)))("U780 %s of a store", async (verb) => {
    const { store } = await filled();
    const args = STORE[verb];
    if (!args) throw new Error(`Say here how ${verb} is called.`);
    const call = async (given: readonly unknown[]) => {
      const answer = await verbOf(store, verb)(...given);
      return verb === "session" ? verbOf(answer as object, "branches")() : answer;
    };
    await toldOf(call, args, STORE_OPTIONS[verb] ?? []);
    await store.close().catch(() => undefined);
  });

  it.each(verbsOf(Object.getPrototypeOf(sampleGraph)))("U780 %s of a knowledge graph", async (verb) => {
    const { store, pal } = await filled();
    const graph = await pal.knowledgeGraph();
    await graph.createEntities([{ name: "tea", entityType: "drink", observations: ["hot"] }]);
    const args = GRAPH[verb];
    if (!args) throw new Error(`Say here how ${verb} is called.`);
    await toldOf((given) => verbOf(graph, verb)(...given), args, []);
    await store.close();
  });

  it.each([...verbsOf(Object.getPrototypeOf(sampleFiles)), "at", "write", "remove", "move"])(
    "U780 %s of a file tree",
    async (verb) => {
      const { store, pal } = await filled();
      const files = await pal.fileTree();
      const args = FILES[verb];
      if (!args) throw new Error(`Say here how ${verb} is called.`);
      const call = (given: readonly unknown[]) =>
        verb in files
          ? verbOf(files, verb)(...given)
          : files.change("try", async (changes) => verbOf(changes, verb)(...given));
      await toldOf(call, args, []);
      await store.close();
    },
  );

  it.each(Object.keys(STEPS))("U780 %s within a transaction and a proposal", async (verb) => {
    const { store, pal } = await filled();
    const steps = new Set<string>();
    await pal.transaction((tx) => {
      for (const name of Object.keys(tx)) steps.add(name);
    });
    expect([...steps].sort()).toEqual(Object.keys(STEPS).sort());
    const call = (given: readonly unknown[]) => pal.transaction((tx) => verbOf(tx, verb)(...given));
    await toldOf(call, STEPS[verb]!, ["scope", "ifHash", "reason", "tree", "topic"]);
    const ask = (given: readonly unknown[]) => pal.propose("idea", (tx) => verbOf(tx, verb)(...given));
    await toldOf(ask, STEPS[verb]!, []);
    await store.close();
  });

  it.each(Object.keys(memoryHandlers(sample)))("U780 %s of the memory tool", async (verb) => {
    const { store, pal } = await filled();
    const handlers = memoryHandlers(pal);
    const args = MEMORY_TOOL[verb];
    if (!args) throw new Error(`Say here how ${verb} is called.`);
    // It tells a model in plain words what went wrong.
    const isTold = (error: unknown) =>
      error instanceof PalimpsestError || (error as Error)?.constructor === Error;
    await toldOf((given) => verbOf(handlers, verb)(...given), args, [], isTold);
    await store.close();
  });

  it("U781 nothing is made under another name than the one that was given", async () => {
    const { store, pal } = await filled();
    const before = new Set(readdirSync("."));
    for (const name of ["", "\ud800", `${join(folder, "a")}\ud800`, `${folder}\0`, 7, undefined] as string[])
      for (const call of [
        () => pal.syncPalace(name),
        () => pal.ingest([name]),
        () => pal.import(name),
        () => store.backup(name),
        () => store.restore(name),
        () => library.repairStore(folder, name),
        ...(name === undefined ? [] : [() => store.save(name)]),
      ])
        await expect(call()).rejects.toMatchObject({ code: "INVALID_VALUE" });
    expect(readdirSync(".").filter((name) => !before.has(name))).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.includes("\ufffd"))).toEqual([]);
    await store.close();
  });

  it("U780 what a store is opened with", async () => {
    const call = async (given: readonly unknown[]) =>
      ((await (library.openStore as Call)(...given)) as { close(): unknown }).close();
    const options = "clock random gate log embedder mind".split(" ");
    await toldOf(call, [library.memoryStorage()], options);
  });

  const functions = Object.entries(library).filter(
    ([name, value]) => typeof value === "function" && name !== "PalimpsestError",
  );
  it.each(functions.map(([name]) => name))("U780 the function %s", async (name) => {
    const args = FUNCTIONS[name];
    if (!args) throw new Error(`Say here how ${name} is called.`);
    const call = (library as unknown as Record<string, Call>)[name]!;
    const run = async (given: readonly unknown[]) => {
      const made = await call(...given);
      if (name === "headlinesMissingId") for (const _ of made as Iterable<unknown>);
      if (name.endsWith("Storage") || name === "openStore") await (made as { close(): unknown }).close();
    };
    await toldOf(run, args, []);
  });
});

const verbOf = (target: object, verb: string): Call => (target as Record<string, Call>)[verb]!.bind(target);

const STORE: Readonly<Record<string, readonly unknown[]>> = {
  exists: [],
  session: [{ agent: "ada", scopes: ["shared"] }],
  on: ["change", () => undefined],
  health: [],
  save: [join(folder, "saved")],
  load: [join(folder, "saved")],
  backup: [join(folder, "backup"), { overwrite: true }],
  restore: [join(folder, "backup")],
  gc: [],
  compact: [],
  rebuild: [],
  verify: [],
  usage: [],
  embedding: [],
  settle: [],
  close: [],
};
const STORE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  session: "agent scopes project home clearance branch sessionId channel trust gate".split(" "),
  health: ["budgetMs"],
  save: ["onProgress"],
  load: ["onProgress"],
  backup: ["overwrite", "onProgress"],
  restore: ["tombstones", "onProgress"],
  gc: ["graceDays", "dryRun", "onProgress"],
  compact: ["dropOld", "onProgress"],
  rebuild: ["keepNodes", "onProgress"],
  verify: ["since", "onProgress"],
  usage: ["objects", "onProgress"],
};

const RELATION = { from: "tea", to: "tea", relationType: "is" };
const GRAPH: Readonly<Record<string, readonly unknown[]>> = {
  read: [],
  search: ["tea"],
  open: [["tea"]],
  createEntities: [[{ name: "milk", entityType: "drink", observations: ["white"] }]],
  createRelations: [[RELATION]],
  addObservations: [[{ entityName: "tea", contents: ["cold"] }]],
  deleteEntities: [["milk"]],
  deleteObservations: [[{ entityName: "tea", observations: ["cold"] }]],
  deleteRelations: [[RELATION]],
};

const FILES: Readonly<Record<string, readonly unknown[]>> = {
  look: [(at: (path: string) => unknown) => at("")],
  change: ["say", async () => undefined],
  at: ["a.md"],
  write: ["a.md", "words"],
  remove: ["a.md"],
  move: ["a.md", "b.md"],
};

const STEPS: Readonly<Record<string, readonly unknown[]>> = {
  remember: [
    { text: "Milk is white", tags: ["a"], triple: { subject: "milk", predicate: "is", object: "white" } },
  ],
  update: ["first", { text: "Other words", attributes: { a: 1 } }],
  forget: ["second"],
  observe: ["first"],
  get: ["first"],
};

const MEMORY_TOOL: Readonly<Record<string, readonly unknown[]>> = {
  view: [{ path: "/memories", view_range: [1, 2] }],
  create: [{ path: "/memories/a.txt", file_text: "words" }],
  str_replace: [{ path: "/memories/a.txt", old_str: "words", new_str: "other" }],
  insert: [{ path: "/memories/a.txt", insert_line: 0, insert_text: "more" }],
  delete: [{ path: "/memories/b.txt" }],
  rename: [{ old_path: "/memories/a.txt", new_path: "/memories/c.txt" }],
};

const TREE = {
  type: "headline",
  properties: { TITLE: "T" },
  contents: [{ type: "paragraph", contents: ["words"] }],
};
const COMMITS = [
  { commit: "a", links: [], branch: "main", branches: ["main"], tags: [], time: "2026-01-01T00:00:00Z" },
];
const FUNCTIONS: Readonly<Record<string, readonly unknown[]>> = {
  aiSdkModel: [{ provider: "a", modelId: "b", doGenerate: async () => ({}) }],
  artifactLayer: [[{ name: "a", find: async () => [] }], { timeoutMs: 10 }],
  chatModel: [{ model: "a", baseUrl: "http://localhost" }],
  cosineSimilarity: [
    [1, 2],
    [2, 1],
  ],
  detectRecall: ["what did I say"],
  fileName: ["a/b"],
  findHeadlineMissingId: [TREE],
  forCodeReview: [],
  forHealthCheck: [],
  forIssueAnalysis: [],
  forgeArtifacts: [{ baseUrl: "http://localhost", repository: "a/b" }],
  gitArtifacts: [{ directory: folder }],
  headlinesMissingId: [TREE],
  laneRows: [COMMITS],
  memoryStorage: [],
  mermaidGraph: [COMMITS],
  openStore: [
    join(folder, "store"),
    { gate: { singleValued: ["is"], off: ["pace"], limits: { belief: 1000 }, modes: { belief: {} } } },
  ],
  postgresStorage: ["postgres://nobody@localhost:1/none"],
  readEnvelopes: ["words"],
  repairStore: [join(folder, "none"), join(folder, "mended")],
  sqliteStorage: [join(folder, "store")],
  timeline: [COMMITS, 20],
  tokensOf: ["words"],
  withoutEnvelopes: ["words"],
};
