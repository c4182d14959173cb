import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Storage } from "../src/index.js";
import { filled, INSIDE, tries, VERBS } from "./_every-verb.js";

/** Made up: nothing of the kind was ever issued. */
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

const folder = mkdtempSync(join(tmpdir(), "pal-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, TOKEN));
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

type Tree =
  | string
  | number
  | boolean
  | null
  | undefined
  | (() => unknown)
  | readonly Tree[]
  | { [key: string]: Tree };

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

/** How every verb of a session is called; options follow. What only reads is called too: it may take notes. */
const VERBS: Readonly<Record<string, readonly Tree[]>> = {
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

/** How the classes of sessions are built: nobody else calls these. */
const INSIDE = new Set(
  "constructor sibling open tell read look write submit aside note moveRefs info part agent branch".split(
    " ",
  ),
);

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

async function filled(): Promise<{ storage: Storage; store: Store; pal: Session }> {
  const storage = memoryStorage();
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

/** Everything that a store keeps, as text. */
async function kept(storage: Storage): Promise<string> {
  const parts: string[] = [];
  for await (const { bytes } of storage.scan()) parts.push(Buffer.from(bytes).toString());
  parts.push(JSON.stringify([...(await storage.refs(""))]), JSON.stringify([...(await storage.sides(""))]));
  parts.push(JSON.stringify((await storage.touchSince(0, 100_000)).touch));
  return parts.join("\n");
}

describe("secrets in what is kept for ever (A12, A27)", () => {
  it("A324 every verb of a session is called by this test", async () => {
    const verbs = new Set<string>();
    const { pal } = await filled();
    for (let kind = Object.getPrototypeOf(pal); kind !== Object.prototype; kind = Object.getPrototypeOf(kind))
      for (const name of Object.getOwnPropertyNames(kind)) if (!INSIDE.has(name)) verbs.add(name);
    expect([...verbs].sort()).toEqual(Object.keys(VERBS).sort());
  });

  it("A324 no verb keeps a secret, wherever it is given: words lose it, names that hold it are refused", async () => {
    const leaks: string[] = [];
    let count = 0;
    for await (const { what, session, run } of tries(TOKEN, folder)) {
      count++;
      const { storage, store, pal } = await filled();
      try {
        await run(session ? store.session({ agent: "ada", trust: "user", sessionId: "s", ...session }) : pal);
      } catch {
        // Refused: then nothing of it may be there either.
      }
      if ((await kept(storage)).includes(TOKEN)) leaks.push(what);
      await store.close();
    }
    expect(leaks).toEqual([]);
    expect(count).toBeGreaterThan(500);
  }, 120_000);
});
