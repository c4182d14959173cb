import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStorage, openStore, type Session, type Store } from "../src/index.js";
import { PATIENCE, TORTURE } from "./_processes.js";

const RUNS = TORTURE ? 1_000 : 40;
/** Every order of merges takes a while. */
const ORDERS = RUNS / 4;
const LINES = ["red", "green", "blue"] as const;

const id = fc.constantFrom("a", "b", "c");
const word = fc.constantFrom("one", "two", "three");
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ id, text: word }) },
  { weight: 2, arbitrary: fc.record({ id, category: word }) },
  {
    weight: 2,
    arbitrary: fc.record({ id, tags: fc.uniqueArray(fc.constantFrom("x", "y"), { maxLength: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ id, forget: fc.constant(true as const) }) },
  { weight: 1, arbitrary: fc.record({ id, parent: fc.constantFrom("a", "b", "c", null) }) },
);
type Edit = { readonly id: string } & (
  | { readonly text: string; readonly topic?: string }
  | { readonly category: string }
  | { readonly tags: string[] }
  | { readonly forget: true }
  | { readonly parent: string | null }
);
const edits = fc.array<Edit>(edit, { maxLength: 4 });
const trust = fc.constantFrom("agent" as const, "user" as const);

async function apply(session: Session, changes: readonly Edit[]): Promise<void> {
  for (const { id: key, ...change } of changes) {
    const there = await session.get(key);
    if ("forget" in change) {
      if (there) await session.forget(key);
    } else if ("text" in change) {
      const { text, ...more } = change;
      await session.remember(text, { id: key, type: "note", ...more });
    } else if (there) await session.update(key, change);
  }
}

interface World {
  readonly store: Store;
  on(branch: string, agent?: string): Session;
  /** A new branch at another's head. */
  copy(from: string, name: string): Promise<Session>;
  root(branch: string): Promise<string>;
}

async function world(): Promise<World> {
  let now = Date.UTC(2026, 0, 1);
  const store = await openStore(memoryStorage(), { clock: () => (now += 1000) });
  const on = (branch: string, agent = "merger") => store.session({ agent, branch });
  return {
    store,
    on,
    copy: async (from, name) => {
      await on(from).createBranch(name, { from });
      return on(name);
    },
    root: async (branch) => (await on(branch).stats()).root,
  };
}

const start = fc.tuple(edits, fc.array(fc.tuple(edits, trust), { minLength: 3, maxLength: 3 }));

/** A common past, and three lines that each went on in their own way. */
async function fork(base: readonly Edit[], lines: readonly (readonly [readonly Edit[], "agent" | "user"])[]) {
  const made = await world();
  await made.on("main").remember("zero", { id: "z", type: "note" });
  await apply(made.on("main", "root"), base);
  for (const name of LINES) await made.copy("main", name);
  for (const [at, [changes, level]] of lines.entries())
    await apply(
      made.store.session({ agent: `writer-${at}`, branch: LINES[at] as string, trust: level }),
      changes,
    );
  return made;
}

/** Everything that lies at the top or, in the end, below something that does. */
async function isTree(session: Session): Promise<boolean> {
  const parents = new Map<string, string | undefined>();
  for (const { id: key, parent } of await session.list()) parents.set(key, parent);
  return [...parents.keys()].every((key) => {
    const way = new Set<string>();
    for (let at: string | undefined = key; at !== undefined; at = parents.get(at)) {
      if (way.has(at)) return false;
      way.add(at);
    }
    return true;
  });
}

/** The roots of every order and grouping in which three lines can be merged. */
async function allOrders(made: World): Promise<string[]> {
  const roots: string[] = [];
  for (const first of LINES)
    for (const second of LINES)
      for (const third of LINES)
        if (new Set([first, second, third]).size === 3)
          roots.push(await merged(made, `${first}-${second}-${third}`, first, second, third));
  await merged(made, "rg", "red", "green");
  await merged(made, "gb", "green", "blue");
  await merged(made, "br", "blue", "red");
  roots.push(await merged(made, "r-gb", "red", "gb"));
  for (const [one, other] of [
    ["rg", "gb"],
    ["gb", "br"],
    ["br", "rg"],
  ] as const)
    roots.push(
      await merged(made, `${one}-${other}`, one, other),
      await merged(made, `${other}-${one}`, other, one),
    );
  return roots;
}

async function merged(made: World, name: string, first: string, ...others: string[]): Promise<string> {
  const session = await made.copy(first, name);
  for (const other of others) await session.merge(other, { noFf: true });
  return made.root(name);
}

describe("laws of merge", PATIENCE, () => {
  it("B30 merge(a,b) and merge(b,a) have the same root; a side without change is the identity; merge(a,a) = a", async () => {
    await fc.assert(
      fc.asyncProperty(start, async ([base, lines]) => {
        const made = await fork(base, lines);
        expect(await merged(made, "ab", "red", "green")).toBe(await merged(made, "ba", "green", "red"));
        expect(await merged(made, "a0", "red", "main")).toBe(await made.root("red"));
        await made.copy("main", "still");
        expect(await merged(made, "0a", "still", "red")).toBe(await made.root("red"));
        await made.copy("red", "twin");
        expect(await merged(made, "aa", "red", "twin")).toBe(await made.root("red"));
        expect(await made.store.verify()).toMatchObject({ ok: true, problems: [] });
      }),
      { numRuns: RUNS },
    );
  });

  it("B31 three lines that merge each other in any order and grouping converge", async () => {
    await fc.assert(
      fc.asyncProperty(start, async ([base, lines]) => {
        const made = await fork(base, lines);
        const roots = [
          await merged(made, "m1", "red", "green", "blue"),
          await merged(made, "m2", "blue", "red", "green"),
          await merged(made, "m3", "green", "blue", "red"),
        ];
        await merged(made, "gb", "green", "blue");
        roots.push(await merged(made, "m4", "red", "gb"));
        await merged(made, "rg", "red", "green");
        roots.push(await merged(made, "m5", "rg", "gb"));
        roots.push(await merged(made, "m6", "gb", "rg"));
        expect(new Set(roots).size).toBe(1);
      }),
      { numRuns: RUNS },
    );
  });

  it("B32 criss-cross: lines that merged each other, went on, and merge again agree, whichever side asks", async () => {
    await fc.assert(
      fc.asyncProperty(start, edits, edits, async ([base, lines], moreLeft, moreRight) => {
        const made = await fork(base, lines);
        await merged(made, "left", "red", "green");
        await merged(made, "right", "green", "red");
        await apply(made.on("left", "lefty"), moreLeft);
        await apply(made.on("right", "righty"), moreRight);
        expect(await merged(made, "lr", "left", "right")).toBe(await merged(made, "rl", "right", "left"));
        expect(await made.store.verify()).toMatchObject({ ok: true, problems: [] });
      }),
      { numRuns: RUNS },
    );
  });

  it("B33 nothing that either side has and the other did not take away is dropped, and unresolved conflicts survive further merges", async () => {
    await fc.assert(
      fc.asyncProperty(start, async ([base, lines]) => {
        const made = await fork(base, lines);
        await merged(made, "ab", "red", "green");
        const [ours, theirs, both] = await Promise.all(
          ["red", "green", "ab"].map((name) => made.on(name).list()),
        );
        const common = new Set((await made.on("main").list()).map(({ id: key }) => key));
        for (const { id: key } of [...(ours ?? []), ...(theirs ?? [])]) {
          const isInBoth = [ours, theirs].every((side) => side?.some((item) => item.id === key));
          if (isInBoth || !common.has(key)) expect(both?.some((item) => item.id === key)).toBe(true);
        }
        const open = (await made.on("ab").conflicts()).map(({ id: key, field }) => `${key} ${field}`);
        const session = await made.copy("ab", "more");
        await session.remember("unrelated", { id: "u" });
        await session.merge("main", { noFf: true });
        const still = (await session.conflicts()).map(({ id: key, field }) => `${key} ${field}`);
        expect(still).toEqual(open);
      }),
      { numRuns: RUNS },
    );
  });

  it("B34 circles of moves over any number of lines end in the same tree, whatever the order", async () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const move = fc.oneof(
      { weight: 8, arbitrary: fc.record({ id: key, parent: fc.option(key, { freq: 6 }) }) },
      { weight: 1, arbitrary: fc.record({ id: key, text: word }) },
      { weight: 1, arbitrary: fc.record({ id: key, forget: fc.constant(true as const) }) },
    );
    const all = ["a", "b", "c", "d"].map((id) => ({ id, text: "zero" }));
    const moves = (maxLength: number) => fc.array<Edit>(move, { maxLength });
    await fc.assert(
      fc.asyncProperty(
        moves(2),
        fc.array(fc.tuple(moves(3), trust), { minLength: 3, maxLength: 3 }),
        async (base, lines) => {
          const made = await fork([...all, ...base], lines);
          expect(new Set(await allOrders(made)).size).toBe(1);
          for (const name of ["rg", "gb", "br", "rg-gb"]) expect(await isTree(made.on(name))).toBe(true);
          expect(await made.store.verify()).toMatchObject({ ok: true, problems: [] });
        },
      ),
      { numRuns: ORDERS },
    );
  });

  it("B35 one topic has one holder in whatever order lines are merged, and the others keep their text", async () => {
    const key = fc.constantFrom("a", "b", "c");
    const topical = fc.oneof(
      { weight: 4, arbitrary: fc.record({ id: key, text: word, topic: fc.constantFrom("t", "u") }) },
      { weight: 1, arbitrary: fc.record({ id: key, forget: fc.constant(true as const) }) },
    );
    const some = fc.array<Edit>(topical, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        some,
        fc.array(fc.tuple(some, trust), { minLength: 3, maxLength: 3 }),
        async (base, lines) => {
          const made = await fork(base, lines);
          expect(new Set(await allOrders(made)).size).toBe(1);
          for (const name of ["rg", "gb", "rg-gb"]) {
            const topics = (await made.on(name).list()).flatMap(({ topic }) => topic ?? []);
            expect(topics).toEqual([...new Set(topics)]);
          }
        },
      ),
      { numRuns: ORDERS },
    );
  });
});
