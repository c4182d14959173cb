/**
 * Random histories of branches against a model that keeps a full copy of every state. The model knows nothing of
 * tries, touch rows or merge bases by generation: ancestors are plain sets, a merge is three maps side by side.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Memory, Session, Store } from "../src/index.js";
import { memoryStorage, openStore } from "../src/index.js";

const RUNS = process.env.PAL_TORTURE ? 1_500 : 60;

interface Item {
  readonly text: string;
  readonly tags: readonly string[];
  readonly category: string | undefined;
  /** Two that say the same may have been written by different people. */
  readonly hash?: string;
}
type State = ReadonlyMap<string, Item>;

/** A commit of the model: its whole state, and every commit below it. */
interface Node {
  readonly state: State;
  readonly below: ReadonlySet<string>;
  /** More than one common ancestor was joined, or a conflict was left: the model only checks what it is sure of. */
  readonly vague: ReadonlySet<string>;
}

const ids = ["a", "b", "c", "d"] as const;
const id = fc.constantFrom(...ids);
const word = fc.constantFrom("one", "two", "three", "four");
const branch = fc.nat({ max: 3 });
const agent = fc.constantFrom("ann", "bob");
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("write" as const), on: branch, agent, id, text: word }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("patch" as const),
      on: branch,
      agent,
      id,
      change: fc.oneof(
        fc.record({ tags: fc.uniqueArray(fc.constantFrom("x", "y", "z"), { maxLength: 3 }) }),
        fc.record({ category: word }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("forget" as const), on: branch, agent, id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("branch" as const), on: branch }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("merge" as const),
      on: branch,
      agent,
      from: branch,
      noFf: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pick" as const), on: branch, agent, at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("revert" as const), on: branch, agent, at: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rollback" as const), on: branch, at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("undo" as const), on: branch, agent }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const itemOf = ({ text, tags, category, hash }: Memory): Item => ({ text, tags: tags ?? [], category, hash });
const said = (item: Item | undefined): Item | undefined => item && { ...item, hash: "" };
function stateOf(memories: readonly Memory[]): State {
  const state = new Map(memories.map((memory) => [memory.id, itemOf(memory)]));
  expect(state.size, "each memory is listed once").toBe(memories.length);
  return state;
}
const sorted = (state: State) => [...state].sort(([a], [b]) => (a < b ? -1 : 1));
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

class World {
  readonly nodes = new Map<string, Node>();
  readonly order: string[] = [];
  readonly heads = ["main"];
  constructor(readonly store: Store) {}

  session(on: number, agent = "ann"): Session {
    return this.store.session({ agent, branch: this.heads[on % this.heads.length] as string });
  }
  async head(session: Session): Promise<string> {
    return (await session.branches()).find(({ current }) => current)?.head as string;
  }
  /** Notes what a head looks like; the first time it is seen. */
  async note(session: Session, parents: readonly string[], vague: ReadonlySet<string>): Promise<string> {
    const hash = await this.head(session);
    if (this.nodes.has(hash)) return hash;
    const below = new Set<string>([hash]);
    for (const parent of parents) for (const old of this.nodes.get(parent)?.below ?? []) below.add(old);
    this.nodes.set(hash, { state: stateOf(await session.list()), below, vague });
    this.order.push(hash);
    return hash;
  }
  node(hash: string): Node {
    return this.nodes.get(hash) as Node;
  }
  /** What a side has as little as the common ancestor, but had in between: that deletion is a claim of its own. */
  deletedSince(base: string, side: string): string[] {
    const { state, below } = this.node(side);
    const between = [...below].filter((hash) => !this.node(base).below.has(hash));
    return ids.filter(
      (key) =>
        !state.has(key) &&
        !this.node(base).state.has(key) &&
        between.some((hash) => this.node(hash).state.has(key)),
    );
  }
  /** The common ancestors that are below no other common ancestor. */
  bases(a: string, b: string): string[] {
    const common = [...this.node(a).below].filter((hash) => this.node(b).below.has(hash));
    return common.filter(
      (hash) => !common.some((other) => other !== hash && this.node(other).below.has(hash)),
    );
  }
}

/** Three maps side by side. `undefined`: the model is not sure. */
function mergeItem(
  base: Item | undefined,
  ours: Item | undefined,
  theirs: Item | undefined,
): Item | undefined | "unsure" {
  if (ours?.hash === theirs?.hash || theirs?.hash === base?.hash) return ours;
  if (ours?.hash === base?.hash) return theirs;
  if (!base || !ours || !theirs) return "unsure";
  const field = <T>(was: T, mine: T, yours: T, both: () => T): T =>
    same(mine, yours) || same(yours, was) ? mine : same(mine, was) ? yours : both();
  let isSure = true;
  const unsure =
    <T>(value: T) =>
    () => {
      isSure = false;
      return value;
    };
  const merged: Item = {
    text: field(base.text, ours.text, theirs.text, unsure(ours.text)),
    category: field(base.category, ours.category, theirs.category, unsure(ours.category)),
    tags: [...new Set([...ours.tags, ...theirs.tags])]
      .filter((tag) => (ours.tags.includes(tag) && theirs.tags.includes(tag)) || !base.tags.includes(tag))
      .sort(),
  };
  return isSure ? merged : "unsure";
}

function expectMerged(
  found: State,
  base: State,
  ours: State,
  theirs: State,
  vague: ReadonlySet<string>,
): Set<string> {
  const unsure = new Set(vague);
  for (const key of ids) {
    if (vague.has(key)) continue;
    const wanted = mergeItem(base.get(key), ours.get(key), theirs.get(key));
    if (wanted === "unsure") unsure.add(key);
    else expect(said(found.get(key)), key).toEqual(said(wanted));
  }
  return unsure;
}

async function play(world: World, step: Step): Promise<void> {
  const session = world.session(step.on, "agent" in step ? step.agent : "ann");
  const before = await world.head(session);
  const { state, vague } = world.node(before);
  const expectState = async (wanted: State, unsure: ReadonlySet<string>, parents = [before]) => {
    const now = await world.note(session, parents, unsure);
    const found = world.node(now).state;
    for (const key of ids)
      if (!unsure.has(key)) expect(said(found.get(key)), key).toEqual(said(wanted.get(key)));
  };
  switch (step.do) {
    case "write": {
      await session.remember(step.text, { id: step.id });
      const known = state.get(step.id) ?? { tags: [], category: undefined };
      return expectState(new Map([...state, [step.id, { ...known, text: step.text }]]), vague);
    }
    case "patch": {
      const known = state.get(step.id);
      if (!known) {
        await expect(session.update(step.id, step.change)).rejects.toMatchObject({ code: "NOT_FOUND" });
        return;
      }
      await session.update(step.id, step.change);
      const change = "tags" in step.change ? { tags: [...step.change.tags].sort() } : step.change;
      return expectState(new Map([...state, [step.id, { ...known, ...change }]]), vague);
    }
    case "forget": {
      if (!state.has(step.id)) return;
      await session.forget(step.id);
      return expectState(new Map([...state].filter(([key]) => key !== step.id)), vague);
    }
    case "branch": {
      if (world.heads.length >= 4) return;
      const name = `branch-${world.heads.length}`;
      await session.createBranch(name);
      world.heads.push(name);
      return;
    }
    case "merge": {
      const source = world.session(step.from);
      if (source.branch === session.branch) return;
      const theirs = await world.head(source);
      const bases = world.bases(before, theirs);
      const done = await session.merge(source.branch, { noFf: step.noFf });
      if (bases.includes(theirs)) {
        expect(done.kind).toBe("up-to-date");
        return;
      }
      const isAhead = bases.includes(before) && !step.noFf;
      expect(done.kind).toBe(isAhead ? "fast-forward" : "merged");
      const unsure = new Set([...vague, ...world.node(theirs).vague, ...(bases.length === 1 ? [] : ids)]);
      const now = await world.note(session, [before, theirs], unsure);
      if (isAhead) expect(now).toBe(theirs);
      const base = world.node(bases[0] as string);
      for (const side of [before, theirs])
        for (const key of world.deletedSince(bases[0] as string, side)) unsure.add(key);
      const left = expectMerged(
        world.node(now).state,
        base.state,
        state,
        world.node(theirs).state,
        new Set([...unsure, ...base.vague]),
      );
      if (!isAhead) world.nodes.set(now, { ...world.node(now), vague: left });
      // What either side has and the other did not delete is never dropped.
      for (const key of ids)
        if (state.has(key) && world.node(theirs).state.has(key))
          expect(world.node(now).state.has(key)).toBe(true);
      return;
    }
    case "pick":
    case "revert": {
      const at = world.order[step.at % world.order.length] as string;
      const commit = await session.log({ at, limit: 1 });
      const picked = commit[0];
      if (picked?.parents.length !== 1 || !world.nodes.has(picked.parents[0] as string)) return;
      const [from, to] = [world.node(picked.parents[0] as string), world.node(picked.commit)];
      if (!to) return;
      const unsure = new Set([...vague, ...from.vague, ...to.vague]);
      if (step.do === "pick") await session.cherryPick(picked.commit);
      else await session.revert(picked.commit);
      const now = await world.note(session, [before], unsure);
      const [base, theirs] = step.do === "pick" ? [from.state, to.state] : [to.state, from.state];
      // Only what the commit changed is brought over.
      const changed = ids.filter((key) => from.state.get(key)?.hash !== to.state.get(key)?.hash);
      const others = new Map([...state].filter(([key]) => !changed.includes(key as never)));
      for (const key of ids)
        if (!changed.includes(key) && !unsure.has(key))
          expect(world.node(now).state.get(key), key).toEqual(others.get(key));
      const left = expectMerged(
        world.node(now).state,
        base,
        state,
        theirs,
        new Set([...unsure, ...ids.filter((key) => !changed.includes(key))]),
      );
      if (now !== before)
        world.nodes.set(now, {
          ...world.node(now),
          vague: new Set([...vague, ...[...left].filter((key) => changed.includes(key as never))]),
        });
      return;
    }
    case "rollback": {
      const at = world.order[step.at % world.order.length] as string;
      await session.rollback(at, { allAuthors: true });
      const now = await world.note(session, [before], world.node(at).vague);
      expect(sorted(world.node(now).state)).toEqual(sorted(world.node(at).state));
      return;
    }
    case "undo": {
      const done = await session
        .undo()
        .catch((error: { code: string }) => expect(error.code).toMatch(/NOT_FOUND|NAME_TAKEN|BRANCH_IN_USE/));
      if (done) await world.note(session, [before], new Set(ids));
      return;
    }
  }
}

describe("B70 random histories behave as a model that keeps every state", () => {
  it("B70 of commits, branches, merges, picks, reverts, rollbacks and undos by several agents", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        let now = Date.UTC(2026, 0, 1);
        const gate = { off: ["duplicate", "contradiction"] };
        const store = await openStore(memoryStorage(), { clock: () => (now += 1000), gate });
        const world = new World(store);
        const main = world.session(0);
        await main.remember("zero", { id: "z" });
        await world.note(main, [], new Set());
        for (const each of steps) await play(world, each);
        // The past is as it was.
        for (const [hash, { state }] of world.nodes)
          expect(sorted(stateOf(await main.list({ at: hash })))).toEqual(sorted(state));
        for (let on = 0; on < world.heads.length; on++) {
          const session = world.session(on);
          const { below } = world.node(await world.head(session));
          for (const { commit } of await session.log({ limit: 1000 })) expect(below.has(commit)).toBe(true);
          for (const { id: key, version } of await session.list()) {
            const history = await session.history(key);
            expect(history.at(-1)?.version).toBe(version);
            for (const { commit } of history) expect(below.has(commit)).toBe(true);
            for (const { commit } of await session.blame(key)) expect(below.has(commit)).toBe(true);
          }
        }
        expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
        await store.close();
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a long history", () => {
  const [commits, branches] = process.env.PAL_TORTURE ? [10_000, 50] : [400, 12];
  it(`B71 a store with ${commits} commits on ${branches} branches that merge each other verifies clean`, async () => {
    const directory = mkdtempSync(join(tmpdir(), "pal-history-"));
    try {
      const store = await openStore(directory);
      const main = store.session({ agent: "ann", branch: "main" });
      await main.remember("start", { id: "k0" });
      for (let n = 1; n < branches; n++) await main.createBranch(`b${n}`);
      const session = (n: number) =>
        store.session({ agent: `agent-${n % 5}`, branch: n === 0 ? "main" : `b${n}` });
      for (let n = 0; n < commits; n++) {
        const on = (n * 7) % branches;
        if (n % 97 === 96)
          await session(on)
            .merge(((n * 13) % branches || 1) === on ? "main" : `b${(n * 13) % branches || 1}`)
            .catch(() => undefined);
        else await session(on).remember(`Text ${n} of ${on}`, { id: `k${(n * 31) % 200}` });
      }
      expect(await store.verify()).toMatchObject({ ok: true, problems: [] });
      const [longest] = await main.log({ limit: 1 });
      expect(longest).toBeDefined();
      await store.close();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
