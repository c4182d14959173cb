import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../src/index.js";
import { ON_PURPOSE } from "./_told.js";
import { SECRET } from "./_twins.js";

/** Arguments of a verb, or what is done with a session where one call does not tell enough. */
export type Call = readonly unknown[] | ((session: Session) => Promise<unknown>);

/** What the hidden things are called: ids, opaque names, hashes. */
export type Names = ReadonlyMap<string, string>;

/** Ids and topics of what is seen, of what is hidden in every way, of what is not there at all, and parts of them. */
export const keysIn = (names: Names): string[] => [
  ...["gate", "gate colour", "notes", "code-1", "codes", "key-1", "keys", "zero-1", "tea-2", "tea-3"],
  ...[
    "child-2",
    "in-room",
    "gone-1",
    "gone",
    "erased-1",
    "gone-2",
    "moved-1",
    "undone-1",
    "many-2",
    "mixed-1",
  ],
  ...[
    "dark-1",
    "summary-2",
    "pii-1",
    "zero-2",
    "own-1",
    "own-2",
    "undone",
    "summar",
    "mary-2",
    "nothing-1",
    "Bob",
  ],
  ...["observed", "document", "bob's document"].map((name) => names.get(name) ?? name),
];

/** Texts to ask with: what is seen, what is hidden whole and begun, words that only hidden things have. */
export const WORDS = [
  ...[
    "gate",
    "What does Ann like?",
    SECRET,
    SECRET.slice(0, 20),
    "Quebec",
    "quebec*",
    '"launch code"',
    "spare key mat",
  ],
  ...[
    "subject:Ann",
    "tag:place",
    "code-1",
    "who drives a red lorry",
    "project zero March",
    "type:note gates night",
  ],
];
const PLACES = ["shared", "agent/bob", "project/hidden", "agent/nobody", "project/*"];
const PAST = [
  "2026-01-02T00:00:00Z",
  "2026-01-10T03:00:00Z",
  "2026-03-01T00:00:00Z",
  "early",
  "start",
  "work",
  "dark",
  "HEAD~1",
  "HEAD~3",
  "nowhere",
];
const BRANCHES = ["work", "dark", "mixed", "other", "nowhere"];

const each = <T>(of: readonly T[], make: (one: T) => Call): Call[] => of.map(make);
const alone = (of: readonly unknown[]): Call[] => of.map((one) => [one]);
const past = (...args: readonly unknown[]): Call[] => each(PAST, (at) => [...args, { at }]);
/** Plainly, in every scope and at every earlier time. */
const placed: Call[] = [[], ...past(), ...each(PLACES, (scope) => [{ scope }])];
const bare: Call[] = [[], ...past()];
const named = (names: Names): Call[] => [
  ...alone(keysIn(names)),
  ...["code-1", "key-1", "gate"].flatMap((id) => [
    ...past(id),
    ...each(PLACES, (scope): Call => [id, { scope }]),
    ...each(["agent/bob", "shared"], (scope): Call => [id, { scope, at: "2026-01-10T03:00:00Z" }]),
  ]),
];
const limits = [{ limit: 0 }, { limit: 1 }, { limit: 3 }, { limit: 100 }];

/** How every verb that only reads is called. */
export const READS: Readonly<Record<string, (names: Names) => readonly Call[]>> = {
  get: (names) => [...named(names), ...each(keysIn(names), (id): Call => [id, { exact: true }])],
  list: () => [
    ...placed,
    ...alone([
      ...limits,
      ...[
        { tag: "place" },
        { topic: "codes" },
        { topic: "gate colour" },
        { parent: "notes" },
        { parent: "code-1" },
      ],
      ...[
        { in: "harbour/cranes" },
        { in: "cellar/wine" },
        { in: "harbour", limit: 1 },
        { session: "high-1" },
      ],
      ...[{ category: "drinks" }, { tier: "canon" }, { type: "message" }, { attributes: { changed: "yes" } }],
    ]),
  ],
  view: () => [...bare, ...alone([{ max: 1 }, { max: 3 }, { max: 100 }])],
  search: () => [
    ...alone(WORDS),
    ...["gate", "code"].flatMap((word) => past(word)),
    ...WORDS.flatMap((word): Call[] => [
      [word, { limit: 1 }],
      [word, { mode: "hybrid", limit: 50 }],
      [word, { mode: "vector" }],
    ]),
    ...each(
      [
        { minScore: 0.1 },
        { diversity: 0.5 },
        { after: "2026-01-03" },
        { usePriors: true },
        { scope: "agent/bob" },
      ],
      (o): Call => ["gate code", o],
    ),
    ...each(
      [{ tag: "place" }, { topic: "codes" }, { in: "harbour/cranes" }, { parent: "notes" }, { type: "note" }],
      (o): Call => ["a", o],
    ),
  ],
  semanticSearch: () => [...alone(WORDS), ...each(limits, (o): Call => ["gate", o])],
  vectors: (names) => alone(keysIn(names)),
  history: named,
  blame: named,
  links: named,
  taint: named,
  source: named,
  changesBelow: (names) =>
    keysIn(names).flatMap((id): Call[] => [
      [id, { from: "early" }],
      [id, { from: "2026-01-02T00:00:00Z", to: "start" }],
    ]),
  log: () => [
    ...bare,
    ...alone([...limits, { events: true }, { events: true, limit: 2 }]),
    ...past({ events: true, limit: 1000 }).slice(0, 1),
    ...each(PAST, (at): Call => [{ at, events: true, limit: 1000 }]),
  ],
  graph: () => [
    ...bare,
    ...alone([...limits, { events: true, limit: 1000 }]),
    ...each(PAST, (at): Call => [{ at, limit: 3 }]),
  ],
  ops: () => [...bare, ...alone([...limits, { limit: 1000 }])],
  stats: () => bare,
  vaultStats: () => bare,
  figures: () => [...bare, [{ full: true }]],
  diff: () => [...alone(PAST), ...PAST.flatMap((from) => each(PAST, (to): Call => [from, to]))],
  branches: () => bare,
  tags: () => bare,
  snapshots: () => bare,
  conflicts: () => bare,
  review: () => [
    [],
    ...alone([{ limit: 1 }, { kind: "proposal" }, { kind: "question" }, { kind: "promotion" }]),
  ],
  reviewItem: (names) =>
    alone([
      names.get("proposal"),
      names.get("proposal")?.slice(0, 8),
      names.get("proposal to forget"),
      "0123456789",
    ]),
  rooms: () => placed,
  identity: () => placed,
  palaceConfig: () => placed,
  scratch: () => [
    [],
    ...alone([{ session: "high-1" }, { session: "bob-1" }, { session: "ann-1", all: true }, { key: "plan" }]),
  ],
  searchScratch: () => [...alone(WORDS), ["plan", { session: "high-1" }], ["plan", { session: "bob-1" }]],
  isRecall: () => alone(WORDS),
  recall: () => [
    ...alone(WORDS),
    ...past("Which launch code does the gate have?"),
    ...each(
      [{ limit: 1 }, { mode: "hybrid" }, { proofs: true }, { budget: 100 }, { onlyRecall: true }],
      (o): Call => ["Which colour is the gate?", o],
    ),
    ["Which launch code does the gate have?", { mode: "hybrid", limit: 20 }],
  ],
  why: (names) => [...alone(WORDS), ...alone(keysIn(names)), ...past("gate")],
  promptContext: () => [
    ...bare,
    ...each(WORDS, (query): Call => [{ query, mode: "lexical" }]),
    ...alone([
      { budget: 60 },
      { maxItems: 2 },
      { kind: "briefing" },
      { kind: "memory" },
      { query: "launch code gate", mode: "hybrid" },
    ]),
  ],
  wakeUp: () => [...bare, ...each(WORDS, (about): Call => [{ about }]), [{ budget: 80 }]],
  trace: () => [...bare, ...each(BRANCHES, (branch): Call => [{ branch }])],
  branchContext: () => [
    ...bare,
    ...each(BRANCHES, (branch): Call => [{ branch }]),
    ...alone([{ k: 1 }, { budget: 60 }, { view: "decisions" }, { branch: "dark", view: "decisions" }]),
  ],
  gccFiles: () => [[]],
  bisect: () => [
    ...["gate", "launch code", "Bob key"].flatMap((query) =>
      each(["green", "Quebec", "blue", "mat"], (expect): Call => [query, expect]),
    ),
    ["gate", "green", { limit: 1 }],
    ["launch code", "Tango", { at: "start" }],
  ],
  findConsolidationCandidates: () => [...placed, ...alone([{ floor: 0.1 }, { limit: 1 }])],
  proposeDeletions: () => [...placed, [{ limit: 1 }]],
  handOver: () => [[], [{ max: 1 }], [{ max: 100, message: "Go on" }]],
  playbooks: () => [["open the gate"]],
  mindCosts: () => [[]],
  health: () => [async (session) => Object.keys(await session.health())],
  newId: () => [[]],
  onLog: () => [
    async (session) => {
      const lines: string[] = [];
      const end = session.onLog((line) => lines.push(line));
      await session.rollback("nowhere").catch(() => undefined);
      end();
      return lines;
    },
  ],
  export: () => [
    ...placed,
    ...alone((["json", "jsonl", "markdown", "org", "mcp-memory"] as const).map((format) => ({ format }))),
    ...alone([
      { history: true },
      { format: "jsonl", history: true },
      { format: "markdown", by: "room" },
      { format: "markdown", by: "subject" },
    ]),
  ],
  prove: (names) =>
    each(keysIn(names), (id) => async (session) => {
      // A proof speaks of all that lies in a scope; that something hidden is absent cannot be proven, and is refused.
      // That an id is taken is told, as it is to whoever writes under it.
      const proof = await session.prove(id).catch((error: { code?: string }) => {
        if (error.code !== "REFUSED") throw error;
      });
      return proof?.present ? { ...proof, path: [], state: undefined } : "not shown";
    }),
  proveConsistency: () => [...alone(PAST), ["early", "start"], ["0".repeat(64)]],
  knowledgeGraph: () =>
    [undefined, ...PLACES].map((scope) => async (session: Session) => {
      const graph = await session.knowledgeGraph(scope === undefined ? {} : { scope });
      return [await graph.read(), await graph.search("Bob"), await graph.open(["Bob", "Ann"])];
    }),
  fileTree: () =>
    [undefined, ...PLACES].map((scope) => async (session: Session) => {
      const tree = await session.fileTree(scope === undefined ? {} : { scope });
      return tree.look((at) => ["/", "/bob.md", "/ann.md", "/nothing.md"].map((path) => at(path) ?? "none"));
    }),
};

const folder = mkdtempSync(join(tmpdir(), "pal-calls-"));
export const removeCallFiles = (): void => rmSync(folder, { recursive: true, force: true });
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const MARKDOWN = file("gates.md", "# Gates\n\nA gate is a door.\n\n- [ ] paint it\n");
const MEMORIES = file(
  "memories.json",
  JSON.stringify({
    memories: [
      { id: "new-2", text: "An import of a code" },
      { text: SECRET },
      { id: "fresh-1", text: "An import", topic: "gone" },
    ],
  }),
);
const AST = {
  type: "org-data",
  properties: { title: "Tides" },
  contents: [{ type: "paragraph", contents: ["High at noon"] }],
};
const FOREIGN = ["agent/bob", "project/hidden"] as const;
let folders = 0;

/** What a write says about what is there: the same text, nearly the same, what contradicts it, and with its references. */
const inputs = (names: Names): readonly Record<string, unknown>[] => [
  { text: SECRET },
  { text: SECRET, type: "note" },
  { text: `${SECRET}.` },
  { text: "The launch code of the north gate is 9999 Zulu" },
  { text: "Bob keeps a spare key under the mat" },
  { triple: { subject: "Ann", predicate: "likes", object: "black coffee" } },
  { triple: { subject: "Ann", predicate: "likes", object: "cold milk" } },
  { text: "A part of a hidden one", type: "note", parent: "child-2" },
  { text: "A part of one that is not there", type: "note", parent: "nothing-1" },
  { text: "In a room", in: "cellar/wine" },
  { text: "In a room", in: "harbour/cranes" },
  { text: "Links to [[code-1]] and [[key-1]]", type: "note" },
  { text: "Rests on it", type: "note", derivedFrom: [names.get("hash") ?? "0".repeat(64)] },
  { text: "Rests on nothing", type: "note", derivedFrom: ["0".repeat(64)] },
  { text: "Bob's now", scope: "agent/bob", id: "key-1" },
  { text: "Bob's now", scope: "agent/bob", id: "new-1", parent: "key-1" },
  { text: "Known elsewhere by this id", id: "key-1" },
  { text: "Was somebody else's topic", topic: "gone" },
  { text: "Of a topic elsewhere", topic: "keys" },
  { text: "The Quebec word opens it", type: "message", conversation: "talk", turn: 2 },
  { text: "Write to max.mustermann@firm.example about the gate", type: "note" },
];
const OTHER_IDS = (names: Names) => keysIn(names).filter((id) => !["codes"].includes(id));

/** How every verb that changes something is called: each list on a fresh pair of worlds, one after the other. */
export const WRITES: Readonly<Record<string, (names: Names) => readonly Call[]>> = {
  remember: (names) =>
    inputs(names).flatMap((input): Call[] => [[{ ...input, dryRun: true }], [input], [input]]),
  rememberMany: (names) => [[inputs(names)], [inputs(names), { dryRun: true }]],
  update: (names) => [
    ...each(OTHER_IDS(names), (id): Call => [id, { tags: ["new"] }, { dryRun: true }]),
    ...each(["code-1", "key-1", "tea-2", "nothing-1"], (id): Call => [id, SECRET]),
    ["gate", SECRET],
    ["tea", { triple: { subject: "Ann", predicate: "likes", object: "black coffee" } }],
    ["gate", "A change", { ifHash: names.get("hash") ?? "0".repeat(64) }],
    ["code-1", "A change", { scope: "agent/bob" }],
    ["notes", { parent: "child-2" }],
    ["tea", { in: "cellar/wine" }],
  ],
  forget: (names) => [
    ...each(OTHER_IDS(names), (id): Call => [id, { dryRun: true }]),
    ...alone(["code-1", "key-1", "nothing-1", "notes", "gate"]),
    ["notes", { tree: true }],
  ],
  forgetMany: (names) => [[OTHER_IDS(names), { dryRun: true }], [["code-1", "nothing-1", "notes", "gate"]]],
  move: (names) => [
    ...each(OTHER_IDS(names), (id): Call => [id, "agent/low", { dryRun: true }]),
    ["gate", "agent/bob"],
    ["gate", "agent/low"],
    ["code-1", "agent/low"],
    ["notes", "project/hidden"],
  ],
  observe: (names) => [
    ...each(OTHER_IDS(names), (id): Call => [id, { dryRun: true }]),
    ...each(
      [SECRET, "Someone drives a red lorry through the gate at night", "Ann likes green tea"],
      (text): Call => [text],
    ),
    ["gate", { evidence: SECRET }],
    ["code-1"],
  ],
  confirm: (names) => [...each(OTHER_IDS(names), (id): Call => [id]), ["tea"]],
  promoteToCanon: (names) => [
    ...each(OTHER_IDS(names), (id): Call => [id, undefined, { dryRun: true }]),
    ["gate"],
    ["code-1", SECRET],
  ],
  transaction: (names) => [
    (session) => session.transaction((tx) => tx.remember(SECRET)),
    ...each(
      ["code-1", "key-1", "gate", "nothing-1", "codes"],
      (id) => (session: Session) =>
        session.transaction(async (tx) => [await tx.get(id), await tx.get(id, { scope: "agent/bob" })]),
    ),
    ...each(
      ["code-1", "nothing-1"],
      (id) => (session: Session) => session.transaction((tx) => tx.update(id, "Other words")),
    ),
    ...each(
      ["code-1", "nothing-1"],
      (id) => (session: Session) => session.transaction((tx) => tx.forget(id)),
    ),
    (session) => session.transaction((tx) => tx.observe(names.get("observed") ?? "x-1")),
  ],
  guarded: () => [
    (session) =>
      session.guarded(async (inner) => {
        await inner.remember(SECRET);
        await inner.forget("gate");
        throw new Error(ON_PURPOSE);
      }),
    (session) => session.guarded((inner) => inner.list()),
  ],
  erase: () => [
    ...["code-1", "codes", "key-1", "zero-1", "gone-1", "erased-1", "nothing-1", "tea"].flatMap(
      (id): Call[] => [
        [id, { dryRun: true }],
        [id, { dryRun: true, derived: true }],
        [id, { dryRun: true, scope: "agent/bob" }],
      ],
    ),
    ...each([SECRET, "Quebec", "Ann likes", "gate"], (containing): Call => [{ containing, dryRun: true }]),
    [{ memories: [{ scope: "agent/bob", id: "key-1" }], dryRun: true }],
    ["code-1"],
    [{ containing: "Quebec" }],
    ["tea"],
  ],
  propose: () => [
    ["proposal", undefined, { about: ["code-1"], data: { ask: "x" } }],
    ["proposal", undefined, { about: ["nothing-1"], data: { ask: "x" } }],
    (session) =>
      session.propose("proposal", (tx) => tx.remember({ id: "wish-2", text: "The code could be 9" })),
    (session) => session.propose("proposal", (tx) => tx.remember(SECRET)),
    (session) => session.propose("proposal", (tx) => tx.forget("code-1")),
    (session) => session.propose("proposal", (tx) => tx.forget("gate")),
  ],
  acceptReview: (names) => [
    ...alone([
      names.get("proposal"),
      names.get("proposal")?.slice(0, 8),
      names.get("proposal to forget"),
      "0123456789",
    ]),
    async (session) => {
      for (const { id } of await session.review()) await session.acceptReview(id);
    },
  ],
  rejectReview: (names) => [
    ...alone([names.get("proposal"), names.get("proposal to forget"), "0123456789"]),
    async (session) => {
      for (const { id } of await session.review()) await session.rejectReview(id);
    },
  ],
  ingestAst: () => [
    [AST],
    [AST, { scope: "agent/bob" }],
    [AST, { parent: "code-1" }],
    [AST, { parent: "nothing-1" }],
    [AST, { dryRun: true }],
  ],
  ingest: () => [
    [MARKDOWN, { dryRun: true }],
    [MARKDOWN],
    [MARKDOWN, { parent: "child-2" }],
    [join(folder, "none.md")],
  ],
  import: () => [[MEMORIES, { dryRun: true }], [MEMORIES], [MEMORIES], [join(folder, "none.json")]],
  createBranch: () => [
    ["fresh"],
    ["dark"],
    ["of-dark", { from: "dark" }],
    ["of-past", { from: "start" }],
    ["of-none", { from: "nowhere" }],
  ],
  describeBranch: () => [
    ["work", { purpose: "Other" }],
    ["dark", { status: "abandoned" }],
    ["nowhere", { purpose: "x" }],
  ],
  checkout: () => [
    ...BRANCHES.map((branch) => async (session: Session) => [
      await session.checkout(branch),
      await session.list(),
      await session.log(),
    ]),
  ],
  renameBranch: () => [
    ["work", "job"],
    ["nowhere", "job"],
  ],
  deleteBranch: () => [["mixed"], ["nowhere"]],
  tag: () => [["late"], ["early"], ["of-start", "start"], ["of-none", "nowhere"]],
  deleteTag: () => [["early"], ["nowhere"]],
  merge: () => [
    ["work", { dryRun: true }],
    ["mixed", { dryRun: true }],
    ["work"],
    ["work"],
    ["nowhere"],
    ["work", { into: "nowhere" }],
  ],
  cherryPick: () => [["work"], ["nowhere"], ["HEAD~1"], [START_OF("work")]],
  revert: () => [["HEAD"], ["nowhere"], ["start"]],
  resolve: () => [
    ["quay", "text", { take: 1 }, { dryRun: true }],
    ["code-1", "text", { take: 1 }],
    ["nothing-1", "text", { take: 1 }],
    ["quay", "text", { take: 9 }],
    ["quay", "text", { value: "The quay is hidden" }],
  ],
  snapshot: () => [[], ["mine"], ["start"], async (session) => session.snapshots()],
  rollback: () => [["nowhere"], [0], [1], ["early"], ["start", { allAuthors: true }]],
  undo: (names) => [
    [names.get("op") ?? "0".repeat(64)],
    ["0".repeat(64)],
    [],
    async (session) => {
      await session.remember("Mine to undo");
      return session.undo();
    },
    [],
  ],
  processConversation: () => [
    [
      [
        {
          role: "user",
          content:
            "I like black coffee. My sister is called Mia. The launch code of the north gate is 4711 Quebec.",
        },
      ],
      { model: "none", dryRun: true },
    ],
    [
      [{ role: "user", name: "Ann", content: "I like black coffee. Remember that the gate is green." }],
      { model: "none" },
    ],
  ],
  consolidate: () => [
    [{ model: "none", dryRun: true }],
    [{ model: "none" }],
    ...each(FOREIGN, (scope): Call => [{ model: "none", scope }]),
  ],
  heartbeat: () => [[], []],
  reflect: () => [
    [{ model: "none", dryRun: true }],
    [{ model: "none" }],
    [{ model: "none", session: "talk" }],
    [{ model: "none", scope: "agent/bob" }],
  ],
  maybeSwitchPersona: () => [
    ["Let us paint the gate of the harbour blue"],
    ["You should be a baker now, talk of bread"],
    ["The launch code of the dark side"],
  ],
  acceptPersona: (names) => [[names.get("proposal")], ["0123456789"]],
  takeOver: () => [
    async (session) => session.takeOver(JSON.stringify(await session.handOver())),
    ["nothing"],
  ],
  setIdentity: () => [["I am low"], ["I am Bob", { scope: "agent/bob" }]],
  createPlace: () => [["cellar/wine"], ["cellar", { scope: "agent/bob" }], ["harbour/cranes"], ["hall"]],
  layOut: () => [["code-review"], ["health-check", { scope: "agent/bob" }]],
  describePlace: () => [
    ["cellar", "x"],
    ["nowhere", "x"],
    ["harbour", "x"],
    ["cellar", "x", { scope: "agent/bob" }],
  ],
  renamePlace: () => [
    ["cellar", "x"],
    ["nowhere", "x"],
    ["cellar", "x", { scope: "agent/bob" }],
    ["harbour", "port"],
    ["port", "cellar"],
  ],
  moveInPalace: () => [
    ["code-1", "harbour"],
    ["nothing-1", "harbour"],
    ["gate", "cellar"],
    ["gate", "harbour/cranes"],
    ["in-room", "harbour"],
  ],
  setPalaceConfig: () => [
    ["scratchpad.ttl", 5],
    ["scratchpad.ttl", 5, { scope: "agent/bob" }],
  ],
  syncPalace: () => [
    async (session) => session.syncPalace(fresh(), { dryRun: true }),
    async (session) => ({ ...(await session.syncPalace(fresh())), folder: undefined }),
    async (session) => session.syncPalace(fresh(), { scope: "agent/bob" }),
  ],
  addScratch: () => [[{ key: "k", value: "v" }], [{ key: "plan", value: "v" }, { session: "high-1" }]],
  clearScratch: () => [[], [{ session: "high-1" }], [{ session: "bob-1" }]],
  promote: () => [
    [{ key: "mine", summary: "Tea is planned by low every day", reason: "Asked often", room: "harbour" }],
    [
      {
        key: "plan",
        summary: "What Bob plans is not known",
        reason: "Asked often",
        session: "bob-1",
        room: "cellar",
      },
    ],
    [{ key: "nothing", summary: "What nobody plans is not known", reason: "Asked often", room: "cellar" }],
  ],
  commit: () => [["A milestone"]],
  addStep: () => [
    ["thought", "A step"],
    ["observation", SECRET],
  ],
  knowledgeGraph: () => [
    async (session) => {
      const graph = await session.knowledgeGraph();
      return [
        await graph.createEntities([{ name: "Bob", entityType: "person", observations: ["hides"] }]),
        await graph.createRelations([{ from: "Bob", to: "Ann", relationType: "knows" }]),
        await graph.addObservations([{ entityName: "Bob", contents: ["hides", "seeks"] }]).catch(String),
        await graph.read(),
      ];
    },
  ],
  fileTree: () => [
    async (session) => {
      const tree = await session.fileTree();
      return tree.change("Low writes", (files) => files.write("/bob.md", "Low's file"));
    },
  ],
  close: () => [[]],
};

function START_OF(branch: string): string {
  return `${branch}~1`;
}

function fresh(): string {
  const path = join(folder, `palace-${folders++ % 2}`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  return path;
}
