import {
  memoryStorage,
  openStore,
  type Session,
  type SessionOptions,
  type Storage,
  type Store,
} from "../src/index.js";
import { Letters } from "../src/search/embed/_letters.js";

/** By what something is hidden: from which of the sights below. */
export type Cloak = "clearance" | "scope" | "both";

export interface Sight {
  readonly name: string;
  readonly session: SessionOptions;
  readonly hides: readonly Cloak[];
}

const LOW = { agent: "low", sessionId: "low-1", gate: { off: ["rate"] } } as const satisfies SessionOptions;

/** The sessions that ask: one that both walls hold back, one that only clearance does, one that only scopes do. */
export const SIGHTS: readonly Sight[] = [
  {
    name: "both",
    session: { ...LOW, clearance: "normal", trust: "user" },
    hides: ["clearance", "scope", "both"],
  },
  {
    name: "clearance",
    session: { ...LOW, scopes: ["*"], clearance: "normal" },
    hides: ["clearance", "both"],
  },
  {
    name: "scopes",
    session: { ...LOW, scopes: ["shared"], clearance: "confidential", trust: "operator" },
    hides: ["scope", "both"],
  },
];

export const SECRET = "The launch code of the north gate is 4711 Quebec";
export const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 1);
export const PRESENT = Date.UTC(2026, 5, 1);

export interface World {
  readonly store: Store;
  readonly clock: { now: number; seed: number };
  /** What the hidden things are called in the world that has them; the other is asked by the same names. */
  readonly names: Map<string, string>;
}

/** Settings of every store of these tests: a clock that stands still, reproducible randomness, vectors that count letters. */
export async function stillStore(
  storage: Storage | string,
  clock: { now: number; seed: number },
): Promise<Store> {
  return openStore(storage, {
    clock: () => clock.now,
    random: (count) =>
      Uint8Array.from({ length: count }, () => {
        clock.seed = (Math.imul(clock.seed, 1103515245) + 12345) & 0x7fffffff;
        return clock.seed >>> 16;
      }),
    embedder: new Letters(),
  });
}

/** The world with everything, or without what the sight hides. Each step has its own time and randomness in both. */
export async function buildWorld(
  { hides }: Pick<Sight, "hides">,
  isWhole: boolean,
  storage: Storage | string = memoryStorage(),
): Promise<World> {
  const clock = { now: START, seed: 1 };
  const store = await stillStore(storage, clock);
  const world: World = { store, clock, names: new Map() };
  const open = (options: SessionOptions): Session => store.session({ gate: { off: ["rate"] }, ...options });
  const cast: Cast = {
    ...{ names: world.names, open },
    ann: (branch) =>
      open({
        agent: "ann",
        clearance: "normal",
        trust: "user",
        sessionId: "ann-1",
        ...(branch && { branch }),
      }),
    high: (branch) =>
      open({
        ...{ agent: "high", clearance: "confidential", trust: "user", sessionId: "high-1" },
        ...{ project: "hidden", ...(branch && { branch }) },
      }),
    bob: (branch) =>
      open({
        ...{ agent: "bob", home: "agent/bob", trust: "user", sessionId: "bob-1" },
        ...(branch && { branch }),
      }),
    all: (branch) =>
      open({
        agent: "all",
        scopes: ["*"],
        clearance: "confidential",
        trust: "operator",
        branch: branch ?? "main",
      }),
  };
  for (const [at, { cloak, run }] of HISTORY.entries()) {
    if (!isWhole && cloak !== undefined && hides.includes(cloak)) continue;
    clock.now = START + at * (DAY / 4);
    clock.seed = at + 1;
    await run(cast).catch((error: Error) => {
      throw new Error(`Step ${at} of the world: ${error.message}`, { cause: error });
    });
  }
  await store.settle();
  clock.now = PRESENT;
  clock.seed = 4711;
  return world;
}

export async function withVectors({ store }: World): Promise<void> {
  const embedding = await store.embedding();
  embedding.start();
  await embedding.done();
}

interface Cast {
  readonly names: Map<string, string>;
  open(options: SessionOptions): Session;
  /** Writes what everybody sees. */
  ann(branch?: string): Session;
  /** Writes above the clearance, in a scope that is seen. */
  high(branch?: string): Session;
  /** Writes in a scope of its own. */
  bob(branch?: string): Session;
  all(branch?: string): Session;
}

interface Step {
  readonly cloak?: Cloak;
  run(cast: Cast): Promise<unknown>;
}

const seen = (run: Step["run"]): Step => ({ run });
const hidden = (cloak: Cloak, run: Step["run"]): Step => ({ cloak, run });
const above = { sensitivity: "confidential" } as const;
const title = (name: string) => ({
  ...{ type: "org-data", properties: { title: name } },
  contents: [{ type: "paragraph", contents: [`About ${name}`] }],
});

/** What happened, in order. Names of branches, tags and labelled snapshots are seen by all, so they are in both worlds. */
const HISTORY: readonly Step[] = [
  seen(({ ann }) =>
    ann().remember("The gate of the harbour is green", { id: "gate", topic: "gate colour", tags: ["place"] }),
  ),
  hidden("clearance", ({ high }) =>
    high().remember(SECRET, { id: "code-1", topic: "codes", tags: ["place"], ...above }),
  ),
  hidden("scope", ({ bob }) =>
    bob().remember("Bob keeps a spare key under the mat", {
      id: "key-1",
      topic: "keys",
      tags: ["place"],
      scope: "agent/bob",
    }),
  ),
  hidden("both", ({ high }) =>
    high().remember("Project zero begins in March", {
      id: "zero-1",
      topic: "zero",
      scope: "project/hidden",
      ...above,
    }),
  ),
  seen(({ ann }) =>
    ann().remember("Ann likes green tea", {
      id: "tea",
      triple: { subject: "Ann", predicate: "likes", object: "green tea" },
      category: "drinks",
    }),
  ),
  hidden("clearance", ({ high }) =>
    high().remember({
      id: "tea-2",
      triple: { subject: "Ann", predicate: "likes", object: "black coffee" },
      category: "drinks",
      ...above,
    }),
  ),
  hidden("scope", ({ bob }) =>
    bob().remember({
      id: "tea-3",
      scope: "agent/bob",
      triple: { subject: "Ann", predicate: "hates", object: "green tea" },
    }),
  ),
  seen(({ ann }) => ann().createPlace("harbour/cranes", { description: "What lifts" })),
  seen(({ ann }) => ann().setIdentity("I am the keeper of the harbour")),
  seen(({ ann }) =>
    ann().remember({ id: "notes", type: "note", text: "See [[code-1]] and [[gate]] and [[zero-1]]" }),
  ),
  seen(({ ann }) => ann().remember({ id: "child-1", type: "note", text: "A first part", parent: "notes" })),
  hidden("clearance", ({ high }) =>
    high().remember({
      id: "child-2",
      type: "note",
      text: "A part out of sight, see [[gate]]",
      parent: "notes",
      ...above,
    }),
  ),
  hidden("scope", ({ bob }) =>
    bob().createPlace("cellar/wine", { scope: "agent/bob", description: "Bob's" }),
  ),
  hidden("clearance", ({ high }) =>
    high().remember({
      id: "in-room",
      text: "Crane four is broken in secret",
      in: "harbour/cranes",
      ...above,
    }),
  ),
  seen(({ ann }) => ann().remember({ id: "child-3", type: "note", text: "A last part", parent: "notes" })),
  seen(({ ann }) => ann().tag("early")),
  hidden("clearance", async ({ high, names }) => {
    const { id, commit } = await high().observe(
      "Someone drives a red lorry through the gate at night",
      above,
    );
    names.set("observed", id as string);
    names.set("commit", commit as string);
  }),
  seen(({ ann }) =>
    ann().remember({
      type: "message",
      text: "We meet at the green gate at nine",
      speaker: "ann",
      conversation: "talk",
      turn: 1,
    }),
  ),
  hidden("clearance", ({ high }) =>
    high().remember({
      type: "message",
      text: "The Quebec word opens it",
      speaker: "high",
      conversation: "talk",
      turn: 2,
      ...above,
    }),
  ),
  hidden("scope", ({ bob }) =>
    bob().remember({
      type: "message",
      text: "Bob meets nobody",
      speaker: "bob",
      conversation: "talk",
      turn: 3,
      scope: "agent/bob",
    }),
  ),
  seen(async ({ ann, names }) => {
    const { hash } = (await ann().get("gate"))!;
    names.set("hash of gate", hash);
    await ann().remember({ id: "summary", text: "Gates are painted", type: "note", derivedFrom: [hash] });
  }),
  hidden("clearance", async ({ high, names }) => {
    const { hash } = (await high().get("gate"))!;
    await high().remember({
      id: "summary-2",
      text: "Gates are painted at night",
      type: "note",
      derivedFrom: [hash],
      ...above,
    });
    names.set("hash", (await high().get("code-1"))!.hash);
  }),
  hidden("clearance", ({ high }) => high().update("code-1", { attributes: { changed: "yes" } })),
  hidden("clearance", ({ high }) =>
    high().remember("A code that is gone", { id: "gone-1", topic: "gone", ...above }),
  ),
  hidden("clearance", ({ high }) => high().forget("gone-1", { reason: "No longer so" })),
  hidden("clearance", ({ high }) =>
    high().remember("A code that is erased", { id: "erased-1", topic: "erased", ...above }),
  ),
  hidden("clearance", ({ high }) => high().erase("erased-1")),
  hidden("scope", ({ bob }) => bob().remember("Bob forgets this", { id: "gone-2", scope: "agent/bob" })),
  hidden("scope", ({ bob }) => bob().forget("gone-2")),
  hidden("scope", ({ bob }) => bob().remember("Bob moves house", { id: "moved-1", scope: "agent/bob" })),
  hidden("scope", ({ open }) =>
    open({ agent: "bob", scopes: ["agent/bob", "agent/bob2"], trust: "user" }).move("moved-1", "agent/bob2"),
  ),
  hidden("clearance", ({ high }) => high().remember("Undone at once", { id: "undone-1", ...above })),
  hidden("clearance", async ({ high, names }) => {
    names.set("op", (await high().ops())[0]!.op);
    return high().undo();
  }),
  hidden("clearance", ({ high }) => high().confirm("code-1")),
  hidden("clearance", ({ high }) => high().promoteToCanon("code-1")),
  hidden("clearance", ({ high }) =>
    high().transaction(async (tx) => {
      await tx.remember({ id: "many-1", text: "First of many out of sight", ...above });
      await tx.remember({
        id: "many-2",
        text: "Second of many out of sight",
        ...above,
        expiresAt: "2026-04-01T00:00:00Z",
      });
    }),
  ),
  hidden("clearance", ({ high }) =>
    high().rememberMany(["Bulk one", "Bulk two"].map((text) => ({ text, ...above }))),
  ),
  // Branches: one with work that is seen, one with hidden work too, one that only hidden work differs on.
  seen(({ ann }) => ann().createBranch("work", { purpose: "To paint the gate" })),
  seen(({ ann }) => ann().createBranch("dark")),
  seen(({ ann }) => ann().createBranch("mixed")),
  seen(({ ann }) => ann("work").update("gate", "The gate of the harbour is blue")),
  seen(({ ann }) => ann("work").addStep("thought", "Blue may be better")),
  seen(({ ann }) => ann("mixed").remember("Ships come on Monday", { id: "ships" })),
  hidden("clearance", ({ high }) =>
    high("mixed").update("code-1", "The launch code of the north gate is 1234 Oscar"),
  ),
  hidden("clearance", ({ high }) => high("mixed").remember("Only mixed knows", { id: "mixed-1", ...above })),
  hidden("clearance", ({ high }) =>
    high().update("code-1", "The launch code of the north gate is 5678 Tango"),
  ),
  hidden("clearance", ({ high }) =>
    high("dark").remember("The dark side has a code", { id: "dark-1", topic: "dark", ...above }),
  ),
  hidden("scope", ({ bob }) =>
    bob("dark").remember("Bob is on the dark side", { id: "dark-2", scope: "agent/bob" }),
  ),
  hidden("both", ({ high }) =>
    high("dark").remember("Zero goes dark", { id: "dark-3", scope: "project/hidden", ...above }),
  ),
  seen(({ ann }) => ann().snapshot("start")),
  hidden("clearance", ({ high }) => high().snapshot()),
  // So that both worlds have a merge: that a line moved on out of sight is told by one that is no fast-forward.
  seen(({ ann }) => ann().remember("Cranes are oiled on Friday", { id: "oil" })),
  seen(({ all }) => all().merge("mixed")),
  // A conflict that is seen, beside one that is not.
  seen(({ ann }) => ann().remember("The quay is long", { id: "quay" })),
  seen(({ ann }) => ann().createBranch("other")),
  seen(({ ann }) => ann("other").update("quay", "The quay is longer")),
  hidden("scope", ({ bob }) => bob("other").remember("Bob was there", { id: "other-1", scope: "agent/bob" })),
  seen(({ ann }) => ann().update("quay", "The quay is short")),
  seen(({ all }) => all().merge("other")),
  seen(({ open }) =>
    open({ agent: "helper", trust: "agent", clearance: "normal" }).propose(
      "proposal",
      (tx) => tx.remember({ id: "wish", text: "The gate could be red" }),
      { reason: "It looks nice" },
    ),
  ),
  hidden("clearance", async ({ open, names }) => {
    const helper = open({ agent: "helper", trust: "agent", clearance: "confidential" });
    const { id } = await helper.propose(
      "proposal",
      (tx) => tx.remember({ id: "wish-2", text: "The code could be 9", ...above }),
      { reason: "It is short" },
    );
    names.set("proposal", id as string);
  }),
  hidden("scope", ({ open }) =>
    open({ agent: "bob", trust: "agent", home: "agent/bob" }).propose("question", undefined, {
      data: { ask: "Bob asks" },
      about: ["key-1"],
    }),
  ),
  hidden("clearance", async ({ open, names }) => {
    const { id } = await open({ agent: "helper", trust: "agent", clearance: "confidential" }).propose(
      "merge",
      (tx) => tx.forget("code-1"),
      { about: ["gate"] },
    );
    names.set("proposal to forget", id as string);
  }),
  hidden("scope", ({ bob }) => bob().addScratch({ key: "plan", value: "Bob plans" })),
  hidden("clearance", ({ high }) => high().addScratch({ key: "plan", value: "High plans Quebec" })),
  seen(({ open }) => open({ ...LOW, trust: "user" }).addScratch({ key: "mine", value: "Low plans tea" })),
  seen(async ({ ann, names }) => names.set("document", await ann().ingestAst(title("boats")))),
  hidden("scope", async ({ bob, names }) =>
    names.set("bob's document", await bob().ingestAst(title("Bob"), { scope: "agent/bob" })),
  ),
  hidden("scope", async ({ bob }) => {
    const graph = await bob().knowledgeGraph({ scope: "agent/bob" });
    await graph.createEntities([{ name: "Bob", entityType: "person", observations: ["hides"] }]);
    return (await bob().fileTree({ scope: "agent/bob" })).change("Bob writes", (files) =>
      files.write("/bob.md", "Bob's file"),
    );
  }),
  seen(async ({ ann }) => {
    const graph = await ann().knowledgeGraph();
    await graph.createEntities([{ name: "Ann", entityType: "person", observations: ["drinks tea"] }]);
    return (await ann().fileTree()).change("Ann writes", (files) => files.write("/ann.md", "Ann's file"));
  }),
  hidden("scope", ({ bob }) => bob().setIdentity("I am Bob", { scope: "agent/bob" })),
  hidden("scope", ({ bob }) => bob().setPalaceConfig("scratchpad.ttl", 60, { scope: "agent/bob" })),
  hidden("clearance", ({ high }) =>
    high().remember({ text: "Write to max.mustermann@firm.example about the gate", id: "pii-1", ...above }),
  ),
  seen(({ ann }) =>
    ann().remember({ id: "ends", text: "Ends in spring", expiresAt: "2026-04-01T00:00:00Z" }),
  ),
  seen(({ ann }) => ann().remember({ id: "gone", text: "This was so" })),
  seen(({ ann }) => ann().forget("gone", { reason: "It was not" })),
  seen(({ ann }) => ann().commit("The harbour is open", { contribution: "Cranes", decision: "Green gates" })),
  hidden("both", ({ high }) =>
    high().remember({ id: "zero-2", text: "Ann likes green tea", scope: "project/hidden", ...above }),
  ),
  hidden("clearance", ({ high }) =>
    high().remember({ id: "copy", text: "Ann likes green tea very much", type: "note", ...above }),
  ),
  // That a heartbeat ran is a deed on the store, whoever looked at what.
  seen(({ high }) => high().heartbeat()),
  hidden("clearance", ({ high }) => high().update("copy", { confidence: 0.2 })),
  // The agent that will ask, in a session that saw more.
  hidden("clearance", ({ open }) =>
    open({ ...LOW, clearance: "confidential", trust: "user" }).remember("Low knew the Quebec code once", {
      id: "own-1",
      topic: "own",
      ...above,
    }),
  ),
  hidden("clearance", ({ open }) =>
    open({ ...LOW, clearance: "confidential", trust: "user" }).update("own-1", { tags: ["own"] }),
  ),
  hidden("scope", ({ open }) =>
    open({ ...LOW, scopes: ["agent/low", "agent/bob"], trust: "user" }).remember("Low was at Bob's", {
      id: "own-2",
      scope: "agent/bob",
    }),
  ),
];
