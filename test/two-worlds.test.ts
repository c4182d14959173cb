import { afterAll, describe, expect, it } from "vitest";
import { memoryStorage, postgresStorage, type Storage } from "../src/index.js";
import { type Call, type Names, READS, removeCallFiles, WRITES } from "./_calls.js";
import { verbsOfSession } from "./_every-verb.js";
import { startPostgres } from "./_postgres.mjs";
import { difference, toldBy, versionsIn, withoutTokens } from "./_told.js";
import { buildWorld, SECRET, SIGHTS, type Sight, type World, withVectors } from "./_twins.js";

const TORTURE = process.env.PAL_TORTURE === "1";
afterAll(removeCallFiles);

type Pair = readonly [whole: World, reduced: World];
type Make = () => Storage;

async function pairOf(sight: Sight, storage: Make = memoryStorage): Promise<Pair> {
  return [await buildWorld(sight, true, storage()), await buildWorld(sight, false, storage())];
}

/** What only the whole world has; of what both have, only what is called the same. */
const hiddenNames = ([whole, reduced]: Pair): Names =>
  new Map([...whole.names].filter(([what, name]) => (reduced.names.get(what) ?? name) === name));

const close = (pair: Pair) => Promise.all(pair.map(({ store }) => store.close()));

/** Makes the same calls in both worlds, in the same order; answers those that were told apart. */
async function toldApart(
  pair: Pair,
  sight: Sight,
  verb: string,
  calls: readonly Call[],
  known?: ReadonlySet<string>,
): Promise<string[]> {
  const [here, there] = pair;
  const opaque = known ?? (await sharedVersions(pair));
  const [one, other] = [here.store.session(sight.session), there.store.session(sight.session)];
  const differ: string[] = [];
  for (const call of calls) {
    const [whole, reduced] = [
      withoutTokens(await toldBy(here, one, verb, call), opaque),
      withoutTokens(await toldBy(there, other, verb, call), opaque),
    ];
    if (JSON.stringify(whole) !== JSON.stringify(reduced))
      differ.push(
        `${verb}(${typeof call === "function" ? call : JSON.stringify(call)}): ${difference(whole, reduced)}`,
      );
  }
  return differ;
}

/** What is contested holds the commits that say so, which are opaque; other versions are the same in both worlds. */
async function sharedVersions([whole, reduced]: Pair): Promise<ReadonlySet<string>> {
  const all = await versionsIn(whole);
  return new Set([...(await versionsIn(reduced))].filter((hash) => all.has(hash)));
}

/** What a session sees after it wrote. */
const AFTER: readonly (readonly [verb: string, call: Call])[] = [
  ["list", []],
  ["log", [{ events: true, limit: 1_000 }]],
  ["ops", [{ limit: 1_000 }]],
  ...["review", "stats", "conflicts", "branches", "snapshots"].map((verb) => [verb, []] as const),
  ["search", ["gate code key"]],
];

/** The suite asks a part of it, of the walls one by one a smaller: they are the same walls. Torture asks all. */
const some = <T>(sight: Sight, all: readonly T[], isWhole = TORTURE): readonly T[] => {
  const step = isWhole ? 1 : sight.name === "both" ? 2 : 9;
  return all.filter((_, at) => at % step === 0);
};

async function read(sight: Sight, storage?: Make): Promise<string[]> {
  const pair = await pairOf(sight, storage);
  for (const world of pair) await withVectors(world);
  const [names, known] = [hiddenNames(pair), await sharedVersions(pair)];
  const differ: string[] = [];
  for (const [verb, calls] of Object.entries(READS))
    differ.push(
      ...(await toldApart(pair, sight, verb, some(sight, calls(names), TORTURE && !storage), known)),
    );
  await close(pair);
  return differ;
}

/** Verbs that share a pair of worlds, so that not all of them have to be made for each. */
function groupsOf(
  sight: Sight,
  isWhole: boolean,
): (readonly (readonly [string, (names: Names) => readonly Call[]])[])[] {
  const all = Object.entries(WRITES);
  const size = isWhole ? 1 : 5;
  const groups = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
  return isWhole || sight.name === "both" ? groups : groups.filter((_, at) => at % 4 === 0);
}

async function write(sight: Sight, storage?: Make): Promise<string[]> {
  const differ: string[] = [];
  for (const group of groupsOf(sight, TORTURE && !storage)) {
    const pair = await pairOf(sight, storage);
    const [names, known] = [hiddenNames(pair), await sharedVersions(pair)];
    for (const [verb, calls] of group)
      differ.push(...(await toldApart(pair, sight, verb, calls(names), known)));
    const verbs = group.map(([verb]) => verb).join(", ");
    for (const [asked, call] of AFTER)
      differ.push(
        ...(await toldApart(pair, sight, asked, [call], known)).map((one) => `after ${verbs}: ${one}`),
      );
    await close(pair);
  }
  return differ;
}

it("N750 every verb of a session is called in both worlds", async () => {
  const { store } = await buildWorld({ hides: ["clearance", "scope", "both"] }, false);
  const called = new Set([...Object.keys(READS), ...Object.keys(WRITES)]);
  expect([...called].sort()).toEqual(verbsOfSession(store.session()));
  await store.close();
});

describe.each(SIGHTS)("a session that $name hide things from", (sight) => {
  it("N750 N754 N755 N756 is told by every verb that reads what it would be told if what is hidden were not there (B11, B12)", async () => {
    expect(await read(sight)).toEqual([]);
  });

  it("N751 and by every verb that writes, also by what is read afterwards (B11, B12)", async () => {
    expect(await write(sight)).toEqual([]);
  });
});

describe("a place that is held out of sight", () => {
  const [both] = SIGHTS as [Sight];
  const told = { verdict: "quarantined", code: "HIDDEN_HOLDER", check: "clearance" };

  it("N752 is answered HIDDEN_HOLDER in the same words, whatever is or was there and whatever is written (B12)", async () => {
    const world = await buildWorld(both, true);
    const low = world.store.session(both.session);
    const said = new Set<string>();
    for (const [id, secret] of [
      ["code-1", SECRET],
      ["gone-1", "A code that is gone"],
      ["erased-1", "A code that is erased"],
      ["undone-1", "Undone at once"],
      ["many-2", "Second of many out of sight"],
      ["own-1", "Low knew the Quebec code once"],
    ] as const)
      for (const text of [secret, "Something else altogether"])
        for (const dryRun of [true, false]) {
          const verdict = await low.remember(text, { id, dryRun });
          expect(verdict, id).toMatchObject(told);
          const { id: _, ...rest } = verdict;
          said.add(JSON.stringify(rest));
        }
    expect([...said]).toHaveLength(1);
    await expect(low.remember({ topic: "codes", text: "Anything" })).resolves.toMatchObject(told);
    const high = world.store.session({ agent: "high", clearance: "confidential", trust: "user" });
    expect(await high.remember({ id: "gone-1", text: "It is so again" })).toMatchObject({
      verdict: "accepted",
    });
    expect(await high.remember({ id: "erased-1", text: "A code that is erased" })).toMatchObject({
      code: "ERASED",
    });
    await world.store.close();
  });
});

describe("what an erasure says that it would take", () => {
  it.each(SIGHTS)(
    "N800 names nothing that waits out of sight, where $name hide things (B12)",
    async (sight) => {
      const [here, there] = await pairOf(sight);
      // Letters of the names under which something waits.
      for (const containing of "stgni") {
        const waiting = [here, there].map(async (world) => {
          const told = await toldBy(world, world.store.session(sight.session), "erase", [
            { containing, dryRun: true, derived: true },
          ]);
          return JSON.stringify(told).match(/staging\/[\w/-]+/g);
        });
        const [whole, reduced] = await Promise.all(waiting);
        expect(reduced, containing).not.toBeNull();
        expect(whole, containing).toEqual(reduced);
      }
      await close([here, there]);
    },
  );
});

describe("letters that stand in hashes and in messages", () => {
  it.each(SIGHTS)(
    "N801 are counted by an erasure as if no hidden commit said the same, where $name hide things (B12)",
    async (sight) => {
      const pair = await pairOf(sight);
      const known = await sharedVersions(pair);
      const calls = [..."dfkA19"].map((containing): Call => [{ containing, dryRun: true }]);
      expect(await toldApart(pair, sight, "erase", calls, known)).toEqual([]);
      await close(pair);
    },
  );
});

describe.runIf(TORTURE)("guessing letter by letter", () => {
  /** Every verb that takes a text, with a guess in each place of one. */
  const GUESSES: Readonly<Record<string, (guess: string) => readonly Call[]>> = {
    get: (guess) => [[guess], [guess, { exact: true }]],
    list: (guess) => [
      [{ topic: guess }],
      [{ tag: guess }],
      [{ in: guess }],
      [{ parent: guess }],
      [{ category: "a", session: guess }],
    ],
    search: (guess) => ["lexical", "hybrid", "vector"].map((mode) => [guess, { mode, limit: 50 }]),
    semanticSearch: (guess) => [[guess, { limit: 50 }]],
    recall: (guess) => [[guess, { mode: "hybrid" }]],
    why: (guess) => [[guess]],
    promptContext: (guess) => [[{ query: guess }]],
    wakeUp: (guess) => [[{ about: guess }]],
    bisect: (guess) => [
      ["gate", guess],
      [guess, "gate"],
    ],
    history: (guess) => [[guess]],
    links: (guess) => [[guess]],
    taint: (guess) => [[guess]],
    blame: (guess) => [[guess]],
    searchScratch: (guess) => [[guess], [guess, { session: "high-1" }]],
    erase: (guess) => [[{ containing: guess, dryRun: true, derived: true }], [guess, { dryRun: true }]],
    remember: (guess) => [
      [{ text: guess, dryRun: true }],
      [{ text: `Note: ${guess}`, type: "note", dryRun: true }],
    ],
    update: (guess) => [
      ["gate", guess, { dryRun: true }],
      [guess, "x", { dryRun: true }],
    ],
    observe: (guess) => [[guess, { dryRun: true }]],
    forget: (guess) => [[guess, { dryRun: true }]],
    processConversation: (guess) => [[[{ role: "user", content: guess }], { model: "none", dryRun: true }]],
    maybeSwitchPersona: (guess) => [[guess]],
    branchContext: (guess) => [[{ branch: guess }]],
    reviewItem: (guess) => [[guess]],
    undo: (guess) => [[guess]],
    rollback: (guess) => [[guess]],
    diff: (guess) => [[guess]],
  };

  it.each(SIGHTS)(
    "N750 finds nothing through any verb that takes a text, where $name hide things (B11, B12)",
    async (sight) => {
      const pair = await pairOf(sight);
      for (const world of pair) await withVectors(world);
      const known = await sharedVersions(pair);
      const hidden = sight.hides.includes("clearance")
        ? [SECRET, "codes", "code-1"]
        : ["Bob keeps a spare key under the mat", "keys", "key-1"];
      const differ: string[] = [];
      for (const text of hidden)
        for (let end = 1; end <= text.length; end++)
          for (const guess of [text.slice(0, end), `${text.slice(0, end - 1)}#`, text.slice(-end)])
            for (const [verb, calls] of Object.entries(GUESSES))
              differ.push(...(await toldApart(pair, sight, verb, calls(guess), known)));
      await close(pair);
      expect(differ).toEqual([]);
    },
  );
});

describe.runIf(TORTURE)("on PostgreSQL", () => {
  it("N750 N751 the same is told as if what is hidden were not there (B11, B12)", async () => {
    const server = await startPostgres();
    let stores = 0;
    const storage = () => postgresStorage(server.url(`twin-${stores++}`));
    try {
      expect(await read(SIGHTS[0]!, storage)).toEqual([]);
      expect(await write(SIGHTS[0]!, storage)).toEqual([]);
    } finally {
      await server.remove();
    }
  });
});
