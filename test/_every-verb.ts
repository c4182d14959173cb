import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type MemoryInput,
  memoryStorage,
  type Session,
  type SessionOptions,
  type Storage,
  type Store,
} from "../src/index.js";
import { testStore } from "./_worlds.js";

type Tree =
  | string
  | number
  | boolean
  | null
  | undefined
  | (() => unknown)
  | readonly Tree[]
  | { [key: string]: Tree };

/** How every verb of a session is called; options follow. What only reads is called too: it may take notes. */
export const VERBS: Readonly<Record<string, readonly Tree[]>> = {
  remember: ["Tea is in the kitchen"],
  rememberMany: [[{ text: "Tea is here", id: "tea", tags: ["drink"] }, "Coffee is there"]],
  update: ["first", "The first changed"],
  forget: ["first"],
  forgetMany: [["first", "second"]],
  move: ["first", "agent/ada"],
  observe: ["first"],
  transaction: [],
  get: ["first"],
  list: [],
  view: [],
  search: ["tea"],
  semanticSearch: ["tea"],
  vectors: ["first"],
  history: ["first"],
  log: [],
  prove: ["first"],
  proveConsistency: ["0".repeat(64)],
  stats: [],
  close: [],
  health: [],
  erase: ["first"],
  acceptReview: ["nothing"],
  rejectReview: ["nothing"],
  newId: [],
  ingestAst: [
    { type: "org-data", properties: { title: "T" }, contents: [{ type: "paragraph", contents: ["words"] }] },
  ],
  ingest: [],
  source: ["first"],
  links: ["first"],
  changesBelow: ["first"],
  export: [],
  import: [],
  figures: [],
  branches: [],
  createBranch: ["fresh"],
  describeBranch: ["work"],
  checkout: ["work"],
  renameBranch: ["idle", "busy"],
  deleteBranch: ["idle"],
  tag: ["label"],
  tags: [],
  deleteTag: ["early"],
  merge: ["work"],
  cherryPick: ["work"],
  revert: ["work"],
  diff: ["early"],
  blame: ["first"],
  conflicts: [],
  resolve: ["first", "text", { value: "First" }],
  snapshot: ["before lunch"],
  snapshots: [],
  rollback: ["early"],
  graph: [],
  undo: [],
  ops: [],
  processConversation: [[{ role: "user", name: "Ann", content: "My sister is called Mia." }]],
  consolidate: [],
  heartbeat: [],
  reflect: [],
  maybeSwitchPersona: ["You should be a baker now, talk of bread"],
  acceptPersona: ["nothing"],
  confirm: ["first"],
  handOver: [],
  takeOver: ["nothing"],
  mindCosts: [],
  identity: [],
  setIdentity: ["I am a helper"],
  rooms: [],
  createPlace: ["kitchen/shelf"],
  layOut: [
    { name: "plan", description: "A plan", rooms: [{ name: "hall", description: "In", drawers: ["top"] }] },
  ],
  describePlace: ["room", "Where things are"],
  renamePlace: ["room", "chamber"],
  moveInPalace: ["first", "room"],
  palaceConfig: [],
  setPalaceConfig: ["key", "value"],
  syncPalace: [],
  addScratch: [{ key: "k", value: "v", tool: "grep" }],
  scratch: [],
  searchScratch: ["tea"],
  clearScratch: [],
  promote: [
    {
      key: "note",
      summary: "Tea is kept in the kitchen beside the stove",
      reason: "It is asked often",
      room: "room",
    },
  ],
  playbooks: ["bake bread"],
  isRecall: ["what did I say"],
  recall: ["where is the tea"],
  why: ["tea"],
  promptContext: [],
  wakeUp: [],
  propose: ["idea"],
  promoteToCanon: ["first", "The first in better words"],
  review: [],
  reviewItem: ["nothing"],
  taint: ["first"],
  knowledgeGraph: [],
  fileTree: [],
  findConsolidationCandidates: [],
  proposeDeletions: [],
  vaultStats: [],
  commit: ["A milestone"],
  addStep: ["thought", "A step"],
  trace: [],
  branchContext: [],
  bisect: ["tea", "tea"],
  gccFiles: [],
  guarded: [],
  onLog: [() => undefined],
};

/** Every verb that a session has: those of its table, and what it is beside them. */
export function verbsOfSession(session: Session): string[] {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(session));
  const beside = own.filter((name) => !["constructor", "agent", "branch"].includes(name));
  return [...Object.keys(session), ...beside].sort();
}

/** Every field of a memory; a new one has to be added here. */
const FIELDS: Readonly<Record<keyof Required<MemoryInput>, Tree>> = {
  text: "Tea",
  id: "tea",
  scope: "project/site",
  type: "note",
  triple: { subject: "Ann", predicate: "likes", object: "tea" },
  attributes: { colour: "green", deep: { er: ["x"] } },
  category: "drinks",
  tags: ["hot"],
  parent: "first",
  position: "a",
  in: "kitchen/shelf",
  tier: "register",
  topic: "drink",
  lifetime: "permanent",
  ttl: 1000,
  expiresAt: "2030-01-01",
  confidence: 1,
  sensitivity: "normal",
  source: "tool",
  evidence: "she said so",
  uri: "file:tea",
  turn: 1,
  speaker: "ann",
  conversation: "talk",
  derivedFrom: ["0".repeat(64)],
  valid: { from: "2026-01-01" },
};
const SESSION: Readonly<Record<keyof Required<SessionOptions>, Tree>> = {
  agent: "ada",
  scopes: ["shared"],
  project: "site",
  home: "shared",
  clearance: "private",
  branch: "work",
  sessionId: "s",
  channel: "library",
  trust: "user",
  gate: {},
};

type Call = (...given: unknown[]) => Promise<unknown>;
const callOf = (target: object, verb: string): Call =>
  ((target as Record<string, Call>)[verb] as Call).bind(target);

/** A store in which every verb finds something to work on. */
export async function filled(
  storage: Storage = memoryStorage(),
): Promise<{ storage: Storage; store: Store; pal: Session }> {
  const { store } = await testStore(storage);
  const ada = store.session({ agent: "ada", trust: "user", sessionId: "s", project: "site" });
  await ada.remember({ id: "first", text: "The first thing of all", type: "note" });
  await ada.remember({ id: "second", text: "Something else entirely", type: "note" });
  await ada.tag("early");
  await ada.createBranch("work");
  await ada.createBranch("idle");
  await ada.createPlace("room");
  await ada.addScratch({ key: "note", value: "tea in the kitchen" });
  const work = store.session({ agent: "ada", trust: "user", branch: "work" });
  await work.remember({ id: "of-work", text: "Only on work", type: "note" });
  const pal = store.session({ agent: "ada", trust: "user", sessionId: "s", project: "site" });
  return { storage, store, pal };
}

/** The options a verb knows, by asking with one it cannot know. */
export async function optionsOf(verb: string, args: readonly Tree[]): Promise<string[]> {
  const { pal, store } = await filled();
  const target =
    verb === "transaction" || verb === "guarded" ? [() => 1] : verb === "propose" ? ["idea", () => 1] : args;
  try {
    await callOf(pal, verb)(...target, { "no such option": 1 });
  } catch (error) {
    const { hint } = error as { hint?: string };
    const [, names] = /Its options are (.*)\.$/.exec(hint ?? "") ?? [];
    if (names !== undefined) return names.split(", ");
  } finally {
    await store.close();
  }
  return [];
}

export interface Try {
  readonly what: string;
  readonly session?: SessionOptions;
  run(pal: Session): Promise<unknown>;
}

/** Every call of every verb with a token in one place of what it is given; `folder` is for files that name it. */
export async function* tries(TOKEN: string, folder: string): AsyncGenerator<Try> {
  writeFiles(TOKEN, folder);
  const { withToken, shapes } = holding(TOKEN);
  for (const [verb, args] of Object.entries(VERBS)) {
    for (const one of withToken(args))
      yield { what: `${verb}(${JSON.stringify(one)})`, run: (pal) => callOf(pal, verb)(...(one as Tree[])) };
    const inner =
      verb === "transaction"
        ? [(tx: { remember(text: string): unknown }) => tx.remember("Tea")]
        : verb === "propose"
          ? ["idea", (tx: { remember(text: string): unknown }) => tx.remember("Tea")]
          : verb === "ingest"
            ? [join(folder, "plain.md")]
            : verb === "import"
              ? [join(folder, "plain.json")]
              : args;
    for (const option of await optionsOf(verb, args))
      for (const value of shapes)
        yield {
          what: `${verb} with ${option} ${JSON.stringify(value)}`,
          run: (pal) => callOf(pal, verb)(...inner, { [option]: value }),
        };
  }
  for (const [field, plain] of Object.entries(FIELDS))
    for (const value of withToken(plain)) {
      const given = { text: "Ann drinks tea", [field]: value } as MemoryInput;
      for (const type of ["note", "message", "document"])
        yield {
          what: `remember ${type} with ${field} ${JSON.stringify(value)}`,
          run: (pal) => pal.remember({ type, ...given }),
        };
      yield { what: `update ${field}`, run: (pal) => pal.update("first", { [field]: value } as never) };
      yield { what: `observe ${field}`, run: (pal) => pal.observe("first", { [field]: value } as never) };
      yield { what: `tx ${field}`, run: (pal) => pal.transaction((tx) => tx.remember(given)) };
      yield {
        what: `propose ${field}`,
        run: (pal) => pal.propose("idea", (tx) => tx.remember(given), {}),
      };
    }
  for (const [option, plain] of Object.entries(SESSION))
    for (const value of withToken(plain)) {
      const session = { [option]: value } as SessionOptions;
      const label = `session ${option} ${JSON.stringify(value)}`;
      yield { what: `${label}: remember`, session, run: (pal) => pal.remember("Tea is hot") };
      yield { what: `${label}: branch`, session, run: (pal) => pal.createBranch("other") };
      yield { what: `${label}: scratch`, session, run: (pal) => pal.addScratch({ key: "k", value: "v" }) };
      yield { what: `${label}: checkout`, session, run: (pal) => pal.checkout("work") };
      yield {
        what: `${label}: home`,
        session: { ...session, ...(option === "project" && { home: `project/${String(value)}` }) },
        run: (pal) => pal.remember("Tea is hot"),
      };
    }
  for (const file of ["plain", TOKEN])
    for (const type of ["md", "org", "json", "txt"])
      for (const place of [folder, join(folder, TOKEN)]) {
        yield { what: `ingest ${file}.${type}`, run: (pal) => pal.ingest(join(place, `${file}.${type}`)) };
        yield { what: `import ${file}.${type}`, run: (pal) => pal.import(join(place, `${file}.${type}`)) };
      }
  yield { what: "ingest a folder", run: (pal) => pal.ingest(folder) };
  yield {
    what: "graph",
    run: async (pal) =>
      (await pal.knowledgeGraph()).createEntities([{ name: TOKEN, entityType: "x", observations: ["y"] }]),
  };
  yield {
    what: "graph type",
    run: async (pal) =>
      (await pal.knowledgeGraph()).createEntities([{ name: "x", entityType: TOKEN, observations: [TOKEN] }]),
  };
  yield {
    what: "graph relation",
    run: async (pal) => {
      const graph = await pal.knowledgeGraph();
      await graph.createEntities([
        { name: "a", entityType: "x", observations: [] },
        { name: "b", entityType: "x", observations: [] },
      ]);
      await graph.createRelations([{ from: "a", to: "b", relationType: TOKEN }]);
    },
  };
  yield {
    what: "files",
    run: async (pal) => (await pal.fileTree()).change(TOKEN, (files) => files.write("/a.md", TOKEN)),
  };
  yield {
    what: "file name",
    run: async (pal) => (await pal.fileTree()).change("x", (files) => files.write(`/${TOKEN}.md`, "x")),
  };
}

function writeFiles(TOKEN: string, folder: string): void {
  mkdirSync(join(folder, TOKEN), { recursive: true });
  for (const name of ["plain", TOKEN])
    for (const [type, text] of [
      ["md", `# About ${name}\n\nA line of ${name}.\n`],
      ["org", `* About ${name}\nA line of ${name}.\n`],
      ["json", JSON.stringify({ memories: [{ text: `A line of ${name}`, tags: [name], topic: name }] })],
      ["txt", `${name} likes tea\n`],
    ] as const) {
      writeFileSync(join(folder, `${name}.${type}`), text);
      writeFileSync(join(folder, TOKEN, `${name}.${type}`), text);
    }
}

function holding(TOKEN: string) {
  /** Every tree that has the token in the place of one text, or of one name, of this one. */
  function* withToken(tree: Tree): Generator<Tree> {
    if (typeof tree === "string") {
      yield TOKEN;
      if (process.env.PAL_TORTURE) yield `${tree} ${TOKEN}`;
    } else if (Array.isArray(tree))
      for (const [at, item] of tree.entries()) for (const one of withToken(item)) yield tree.with(at, one);
    else if (typeof tree === "object" && tree !== null)
      for (const [key, item] of Object.entries(tree)) {
        for (const one of withToken(item)) yield { ...tree, [key]: one };
        yield { ...tree, [TOKEN]: item };
      }
  }

  /** An option is a text, a list or an object; what is not of its kind is refused. */
  const shapes: readonly Tree[] = process.env.PAL_TORTURE
    ? [TOKEN, `about ${TOKEN}`, [TOKEN], { note: TOKEN }, { [TOKEN]: "x" }]
    : [TOKEN, [TOKEN], { note: TOKEN, [TOKEN]: "x" }];

  return { withToken, shapes };
}
