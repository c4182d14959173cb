import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStorage, openStore, type Session, type Store } from "../src/index.js";

const RUNS = process.env.PAL_TORTURE ? 1_000 : 40;
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
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
const edits = fc.array(edit, { maxLength: 4 });
const trust = fc.constantFrom("agent" as const, "user" as const);

async function apply(session: Session, changes: readonly Edit[]): Promise<void> {
  for (const { id: key, ...change } of changes) {
    const there = await session.get(key);
    if ("forget" in change) {
      if (there) await session.forget(key);
    } else if ("text" in change) await session.remember(change.text, { id: key, type: "note" });
    else if (there) await session.update(key, change);
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

async function merged(made: World, name: string, first: string, ...others: string[]): Promise<string> {
  const session = await made.copy(first, name);
  for (const other of others) await session.merge(other, { noFf: true });
  return made.root(name);
}

describe("laws of merge", () => {
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
});
