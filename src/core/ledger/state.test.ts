import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashValue } from "../base/hash.js";
import { idKey, type MemoryId, type Scope, scopeKey } from "../base/names.js";
import { EMPTY_ROOT } from "../merkle/node.js";
import { verifyProof } from "../merkle/proof.js";
import { isNeed, type Need, type NodeSource } from "../merkle/walk.js";
import {
  foldEvents,
  scopeEntries,
  scopeRoot,
  stateDiff,
  stateLookup,
  stateNodes,
  stateProof,
} from "./state.js";
import type { LedgerEvent } from "./types.js";

const SCOPES = ["shared", "agent/orion", "project/site", "user/7"] as Scope[];
const scopes = SCOPES.map(scopeKey);
const id = (n: number): Hash => idKey(`mem-${n}` as MemoryId);
const record = (n: number): Hash => hashValue("memory", n);

const store = new Map<Hash, Uint8Array>();
const source: NodeSource = (hash) => store.get(hash);

function sure<T extends object>(answer: T | Need): T {
  if (isNeed(answer)) throw new Error(`nodes are missing: ${answer.need.join(", ")}`);
  return answer;
}
function fold(root: Hash, events: readonly LedgerEvent[]): Hash {
  const folded = sure(foldEvents(root, events, source));
  for (const [hash, node] of folded.nodes) store.set(hash, node);
  return folded.root;
}
const set = (scope: number, key: number, value: number): LedgerEvent => ({
  op: "add",
  scope: scopes[scope]!,
  id: id(key),
  after: record(value),
});
const drop = (scope: number, key: number): LedgerEvent => ({
  op: "forget",
  scope: scopes[scope]!,
  id: id(key),
});

/** Events over few keys, so that they meet. */
const event = fc
  .tuple(fc.nat(3), fc.nat(60), fc.option(fc.nat(5)))
  .map(([scope, key, value]) => (value === null ? drop(scope, key) : set(scope, key, value)));
const events = fc.array(event, { maxLength: 150 });

type Model = Map<string, { scope: Hash; id: Hash; record: Hash }>;
function model(list: readonly LedgerEvent[], from: Model = new Map()): Model {
  const state = new Map(from);
  for (const { scope, id: key, after } of list) {
    if (after) state.set(scope + key, { scope, id: key, record: after });
    else state.delete(scope + key);
  }
  return state;
}
const scratch = (state: Model): Hash =>
  fold(
    EMPTY_ROOT,
    [...state.values()].map(({ scope, id: key, record: after }) => ({ op: "add", scope, id: key, after })),
  );

describe("E1 a state is what its events say, whatever way it came about", () => {
  it("E1 events of different keys fold in any order", () => {
    fc.assert(
      fc.property(events, fc.infiniteStream(fc.nat()), (list, keys) => {
        const last = new Map(list.map((item) => [item.scope + item.id, item]));
        const other = [...last.values()]
          .map((item) => ({ item, at: keys.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ item }) => item);
        expect(fold(EMPTY_ROOT, other)).toBe(fold(EMPTY_ROOT, list));
      }),
      { numRuns: 50 },
    );
  });

  it("E1 one batch, event by event, and built from scratch give one root", () => {
    fc.assert(
      fc.property(events, (list) => {
        const root = fold(EMPTY_ROOT, list);
        expect(list.reduce((at, item) => fold(at, [item]), EMPTY_ROOT)).toBe(root);
        expect(scratch(model(list))).toBe(root);
      }),
      { numRuns: 40 },
    );
  });

  it("E1 a later event of one key wins", () => {
    expect(fold(EMPTY_ROOT, [set(0, 1, 1), set(0, 1, 2)])).toBe(fold(EMPTY_ROOT, [set(0, 1, 2)]));
    expect(fold(EMPTY_ROOT, [set(0, 1, 1), drop(0, 1)])).toBe(EMPTY_ROOT);
    expect(fold(EMPTY_ROOT, [drop(0, 1), set(0, 1, 1)])).toBe(fold(EMPTY_ROOT, [set(0, 1, 1)]));
  });

  it("E1 one id in two scopes is two memories", () => {
    const root = fold(EMPTY_ROOT, [set(0, 1, 1), set(1, 1, 2)]);
    expect(sure(stateLookup(root, scopes[0]!, id(1), source)).record).toBe(record(1));
    expect(sure(stateLookup(root, scopes[1]!, id(1), source)).record).toBe(record(2));
    expect(sure(stateLookup(root, scopes[2]!, id(1), source)).record).toBeUndefined();
  });

  it("E1 no events, and events that change nothing, keep the root and make no nodes", () => {
    const root = fold(EMPTY_ROOT, [set(0, 1, 1)]);
    for (const list of [[], [set(0, 1, 1)], [drop(0, 2)], [drop(3, 1)]])
      expect(sure(foldEvents(root, list, source))).toEqual({ root, nodes: new Map(), gone: [] });
  });
});

describe("E2 a scope without ids has no entry", () => {
  it("E2 the scope vanishes with its last id", () => {
    const one = fold(EMPTY_ROOT, [set(0, 1, 1)]);
    expect(fold(fold(one, [set(1, 2, 2)]), [drop(1, 2)])).toBe(one);
    expect(fold(one, [drop(0, 1)])).toBe(EMPTY_ROOT);
    expect(sure(scopeRoot(one, scopes[1]!, source)).root).toBe(EMPTY_ROOT);
  });
});

describe("E3 lookups, lists and differences agree with the model", () => {
  it("E3 every key is found under its scope, and only there", () => {
    fc.assert(
      fc.property(events, (list) => {
        const root = fold(EMPTY_ROOT, list);
        const state = model(list);
        for (const [at, scope] of scopes.entries()) {
          const entries = [...state.values()].filter((item) => item.scope === scope);
          const expected = entries.map((item) => [item.id, item.record]).sort();
          expect(sure(scopeEntries(root, scope, source)).entries).toEqual(expected);
          expect(sure(stateLookup(root, scope, id(at * 7), source)).record).toBe(
            state.get(scope + id(at * 7))?.record,
          );
        }
      }),
      { numRuns: 40 },
    );
  });

  it("E3 a difference is exactly what changed, and folding it leads from one state to the other", () => {
    fc.assert(
      fc.property(events, events, (first, second) => {
        const [before, after] = [model(first), model(second, model(first))];
        const [a, b] = [scratch(before), scratch(after)];
        const { changes } = sure(stateDiff(a, b, source));
        const expected = [...new Set([...before.keys(), ...after.keys()])]
          .filter((key) => before.get(key)?.record !== after.get(key)?.record)
          .map((key) => {
            const [from, to] = [before.get(key), after.get(key)];
            const { scope, id: at } = (from ?? to)!;
            return { scope, id: at, ...(from && { before: from.record }), ...(to && { after: to.record }) };
          });
        const byKey = (x: { scope: Hash; id: Hash }, y: { scope: Hash; id: Hash }) =>
          x.scope + x.id < y.scope + y.id ? -1 : 1;
        expect(changes.toSorted(byKey)).toStrictEqual(expected.sort(byKey));
        expect(
          fold(
            a,
            changes.map((change) => ({ op: "modify", ...change })),
          ),
        ).toBe(b);
      }),
      { numRuns: 40 },
    );
  });
});

/** Fetches what is asked for and asks again, as a session does; counts the rounds. */
function fetching<T extends object>(ask: (from: NodeSource) => T | Need): { answer: T; rounds: number } {
  const cache = new Map<Hash, Uint8Array>();
  for (let rounds = 0; rounds < 10; rounds++) {
    const answer = ask((hash) => cache.get(hash));
    if (!isNeed(answer)) return { answer, rounds };
    expect(answer.need.length).toBeGreaterThan(0);
    for (const hash of answer.need) cache.set(hash, store.get(hash)!);
  }
  throw new Error("it never had enough");
}

describe("E4 a missing node is asked for, a level of the state at a time", () => {
  const many = Array.from({ length: 400 }, (_, n) => set(n % 4, n, n));
  const root = fold(EMPTY_ROOT, many);
  const next = [set(0, 0, 999), set(1, 1, 999), drop(2, 2)];
  it("E4 every function ends with the answer it gives when all is at hand", () => {
    const asks: ((from: NodeSource) => object | Need)[] = [
      (from) => foldEvents(root, next, from),
      (from) => stateLookup(root, scopes[0]!, id(4), from),
      (from) => scopeRoot(root, scopes[0]!, from),
      (from) => scopeEntries(root, scopes[3]!, from),
      (from) => stateDiff(root, fold(root, next), from),
      (from) => stateProof(root, scopes[1]!, id(1), from),
    ];
    for (const ask of asks) {
      const { answer, rounds } = fetching(ask);
      expect(answer).toEqual(ask(source));
      expect(rounds).toBeLessThanOrEqual(4);
    }
  });
});

describe("E5 a proof of presence or absence verifies, and no other does", () => {
  const root = fold(
    EMPTY_ROOT,
    Array.from({ length: 200 }, (_, n) => set(n % 2, n, n)),
  );
  const proofOf = (scope: number, key: number) => {
    const made = sure(stateProof(root, scopes[scope]!, id(key), source));
    const found = sure(stateLookup(root, scopes[scope]!, id(key), source)).record;
    const encode = (nodes: readonly Uint8Array[]) =>
      nodes.map((node) => Buffer.from(node).toString("base64"));
    return {
      v: 1,
      root: made.scopeRoot,
      scope: SCOPES[scope]!,
      id: `mem-${key}`,
      present: found !== undefined,
      ...(found && { record: found }),
      path: encode(made.path),
      state: { root, path: encode(made.statePath) },
    };
  };
  it.each([
    ["a present id", 0, 4, true],
    ["an absent id", 0, 5, false],
    ["an id never seen", 1, 9999, false],
    ["an absent scope", 3, 4, false],
  ])("E5 %s", (_, scope, key, present) => {
    const proof = proofOf(scope, key);
    expect(proof.present).toBe(present);
    expect(verifyProof(proof, { root, kind: "state" })).toMatchObject({
      ok: true,
      root: proof.root,
      present,
      state: root,
    });
    expect(verifyProof({ ...proof, state: undefined }, { root: proof.root, kind: "scope" }).ok).toBe(true);
    expect(verifyProof({ ...proof, present: !present }).ok).toBe(false);
    expect(verifyProof(proof, { root: record(1), kind: "state" }).ok).toBe(false);
    expect(verifyProof({ ...proof, scope: SCOPES[scope === 0 ? 1 : 0]! }).ok).toBe(false);
  });
});

describe("the nodes of states are those of their scopes' tries and of the tries in them", () => {
  const many = Array.from({ length: 300 }, (_, n) => ({
    ...set(0, n, n),
    scope: scopeKey(`user/${n % 50}` as Scope),
  }));
  const made = sure(
    foldEvents(EMPTY_ROOT, [...many, ...many.map((item, n) => ({ ...item, ...set(1, n, n) }))], source),
  );
  for (const [hash, node] of made.nodes) store.set(hash, node);
  const all = [...made.nodes.keys()].sort();
  it("all of them, once, though the scopes are many enough to branch", () => {
    expect([...sure(stateNodes([made.root], source, () => true)).nodes].sort()).toEqual(all);
    expect([...sure(stateNodes([made.root, made.root], source, () => true)).nodes].sort()).toEqual(all);
  });
  it("only those within a set, and with them the way to what is new", () => {
    const next = sure(foldEvents(made.root, [set(1, 7, 999)], source));
    const from: NodeSource = (hash) => next.nodes.get(hash) ?? source(hash);
    const found = sure(stateNodes([next.root], from, (hash) => next.nodes.has(hash)));
    expect([...found.nodes].sort()).toEqual([...next.nodes.keys()].sort());
  });
  it("the empty state has none", () => {
    expect([...sure(stateNodes([EMPTY_ROOT], source, (hash) => hash !== EMPTY_ROOT)).nodes]).toEqual([]);
  });
  it("what is missing is asked for", () => {
    const { answer } = fetching((from) => stateNodes([made.root], from, () => true));
    expect([...answer.nodes].sort()).toEqual(all);
  });
});

describe("what a change does to the nodes of a state", () => {
  it("those of the state before, without what is gone and with what was made, are those of the state after", () => {
    fc.assert(
      fc.property(events, events, (first, second) => {
        const base = fold(EMPTY_ROOT, first);
        const all = (of: Hash) => sure(stateNodes([of], source, () => true)).nodes;
        const expected = all(base);
        const { root, nodes, gone } = sure(foldEvents(base, second, source));
        for (const [hash, bytes] of nodes) store.set(hash, bytes);
        for (const hash of gone) expect(expected.delete(hash)).toBe(true);
        for (const hash of nodes.keys()) expected.add(hash);
        expect([...all(root)].sort()).toEqual([...expected].sort());
      }),
    );
  });
  it("of one event as of a list of it and one that changes nothing", () => {
    fc.assert(
      fc.property(events, events, (first, second) => {
        const base = fold(EMPTY_ROOT, first);
        for (const event of second) {
          const one = sure(foldEvents(base, [event], source));
          const list = sure(foldEvents(base, [event, event], source));
          expect([one.root, [...one.nodes.keys()].sort(), one.gone.sort()]).toEqual([
            list.root,
            [...list.nodes.keys()].sort(),
            list.gone.sort(),
          ]);
        }
      }),
    );
  });
});
