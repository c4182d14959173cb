import { expect, it } from "vitest";
import { dump, everything, load, openSeeded, withNodes, writeSome } from "../../test/_damage.js";
import type { Hash } from "../core/base/hash.js";
import { idKey, MAIN, type MemoryId, SHARED, scopeKey } from "../core/base/names.js";
import type { Timestamp } from "../core/base/time.js";
import { buildCommit, countersBefore, type Tip, touchOf } from "../core/ledger/commit.js";
import { encodeObject } from "../core/ledger/objects.js";
import { foldEvents, stateLookup } from "../core/ledger/state.js";
import type { LedgerEvent } from "../core/ledger/types.js";
import { isNeed } from "../core/merkle/walk.js";
import { memoryStorage, type RefMove, type Storage } from "../storage/index.js";
import { verifyStore } from "./verify.js";

const author = { kind: "operator", id: "orion" } as const;
const time = "2026-04-01T00:00:00.000Z" as Timestamp;

/** Moves refs as branches will: with an operation that says so. */
async function move(storage: Storage, moves: readonly RefMove[]): Promise<void> {
  const operation = encodeObject("operation", {
    v: 1,
    verb: "branch",
    refs: moves.map(({ name, expect: before, next }) => ({
      name,
      ...(before && { before }),
      ...(next && { after: next.target }),
    })),
    time,
    author,
  });
  const given = { put: [operation], refs: moves, touch: [], ops: [operation.hash], epoch: 0 };
  expect(await storage.transact(given)).toBe("ok");
}

const headOf = async (storage: Storage, branch: string): Promise<Tip> => {
  const hash = (await storage.ref(`heads/${branch}`))?.target as Hash;
  const { objects } = await dump(storage);
  const bytes = objects.find((object) => object.hash === hash)?.bytes as Uint8Array;
  return { hash, commit: JSON.parse(Buffer.from(bytes).toString()) };
};

it("V7 forked and merged histories, tags and pending items are whole", async () => {
  const storage = memoryStorage();
  const store = await openSeeded(storage);
  const main = everything(store);
  await writeSome(main);
  const { hash: fork } = await headOf(storage, "main");
  await move(storage, [{ name: "heads/work", expect: null, next: { target: fork } }]);
  const work = store.session({ agent: "orion", scopes: ["*"], trust: "operator", branch: "work" });

  // The same memory goes on differently here and there, goes away here and there, and comes back.
  await work.update("twice", "Said twice, on work");
  await main.update("twice", "Said twice, on main");
  await work.forget("twice");
  await main.update("twice", "Said three times, on main");
  await work.remember({ id: "twice", text: "Back again, on work" });
  await work.update("leaf-1", "Leaf one, on work");
  await main.forget("leaf-1");
  await main.remember({ id: "leaf-1", type: "note", text: "Leaf one, on main" });
  await work.remember({ id: "only", text: "Only on work" });
  // The same version of a memory is made on both, later and under a higher number on the one.
  await main.update("last", "The same words");
  await work.update("last", "Other words");
  await work.update("last", "The same words");
  await main.update("last", "Words on main");
  expect(
    (await storage.touchOf(scopeKey(SHARED), idKey("last" as MemoryId))).map((row) => row.version),
  ).toEqual([1, 2, 2, 3, 3]);
  const [ours, theirs] = [await headOf(storage, "main"), await headOf(storage, "work")];
  await move(storage, [
    { name: "tags/v1", expect: null, next: { target: fork } },
    { name: "staging/main/1", expect: null, next: { target: theirs.hash } },
  ]);
  expect((await verifyStore(storage, {})).problems).toEqual([]);

  // A merge as it will be: one commit of two parents, folded over the first, that takes what only the other has.
  const { objects } = withNodes(await dump(storage));
  const nodes = new Map(objects.filter(({ kind }) => kind === "node").map((node) => [node.hash, node.bytes]));
  const source = (hash: Hash) => nodes.get(hash);
  const [scope, id] = [scopeKey(SHARED), idKey("only" as MemoryId)];
  const taken = stateLookup(theirs.commit.root, scope, id, source);
  if (isNeed(taken)) throw new Error("the nodes are there");
  const event: LedgerEvent = { op: "add", scope, id, after: taken.record as Hash };
  const folded = foldEvents(ours.commit.root, [event], source);
  if (isNeed(folded)) throw new Error("the nodes are there");
  const { tip, commit, changeset } = buildCommit({
    parents: [ours, theirs],
    root: folded.root,
    events: [event],
    now: time,
    author,
    branch: MAIN,
  });
  const operation = encodeObject("operation", {
    v: 1,
    verb: "merge",
    refs: [{ name: "heads/main", before: ours.hash, after: tip.hash }],
    time,
    author,
  });
  const rows = await storage.touchOf(scope, id);
  const row = touchOf(event, undefined, tip, countersBefore(rows.toReversed(), taken.record));
  await storage.transact({
    put: [commit, changeset, operation],
    refs: [{ name: "heads/main", expect: ours.hash, next: { target: tip.hash } }],
    touch: [{ ...row, sensitivity: "normal" }],
    ops: [operation.hash],
    epoch: 0,
  });
  const report = await verifyStore(storage, { since: fork });
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ ok: true, root: folded.root, head: tip.hash });
  // What was only ever on the other line is in the history as well, now that it is merged.
  expect((await verifyStore(storage, { since: theirs.commit.root })).ok).toBe(true);

  // A branch that is let go leaves objects that nothing leads to, and that is all.
  const whole = await dump(storage);
  const bare = { ...whole, refs: new Map(whole.refs), touch: whole.touch };
  bare.refs.delete("tags/v1");
  expect((await verifyStore(await load(bare), {})).problems.map(({ problem }) => problem)).toEqual([
    "ref-moved",
  ]);
});
