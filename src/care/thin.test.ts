import { describe, expect, test } from "vitest";
import { storedStates } from "../../test/_nodes.js";
import { testStore } from "../../test/_worlds.js";
import { CHECKPOINT_EVERY } from "../core/ledger/commit.js";
import { memoryStorage, type Storage } from "../storage/index.js";
import { thinNodes } from "./thin.js";
import { verifyStore } from "./verify.js";

const countNodes = async (storage: Storage): Promise<number> => {
  let nodes = 0;
  for await (const _ of storage.scan({ kinds: ["node"] })) nodes++;
  return nodes;
};

/** A store of several blocks of generations: every other commit is large. */
async function history(commits: number) {
  const storage = memoryStorage();
  const { store } = await testStore(storage);
  const pal = store.session();
  const hashes: string[] = [];
  for (let at = 0; at < commits; at++) {
    const size = at % 2 === 0 ? 1 : 20;
    const [verdict] = await pal.rememberMany(
      Array.from({ length: size }, (_, n) => ({ text: `text ${at}`, id: `fact-${(at * 7 + n) % 90}` })),
    );
    hashes.push(verdict?.commit as string);
  }
  return { storage, store, hashes };
}

describe("derived nodes", () => {
  test("V40 a small commit stores no nodes; one that enters a new block or is large stores them; every state can be read cold", async () => {
    const storage = memoryStorage();
    const { store } = await testStore(storage);
    const pal = store.session();
    const commits: string[] = [];
    for (let at = 1; at < 64; at++) commits.push((await pal.remember(`text ${at}`)).commit as string);
    expect(await countNodes(storage)).toBe(0);
    await pal.remember("enters the next block");
    expect(await countNodes(storage)).toBeGreaterThan(2);
    const { store: cold } = await testStore(storage);
    for (const at of [1, 20, 63])
      expect((await cold.session().list({ at: commits[at - 1] as string })).length).toBe(at);
    expect((await cold.session().list()).length).toBe(64);
  });

  test("V41 nodes of states that neither a ref nor a checkpoint keeps are dropped; every state reads as before", async () => {
    const { storage, hashes } = await history(CHECKPOINT_EVERY + 40);
    const before = await countNodes(storage);
    const answers = async () => {
      const { store } = await testStore(storage);
      const pal = store.session();
      const all: unknown[] = [];
      for (let at = 0; at < hashes.length; at += 23)
        all.push(
          (await pal.list({ at: hashes[at] as string })).map(({ id, text, version }) => [id, text, version]),
        );
      return all;
    };
    const expected = await answers();
    expect(await thinNodes(storage)).toBeGreaterThan(before / 2);
    expect(await countNodes(storage)).toBeLessThan(before / 2);
    expect(await answers()).toEqual(expected);
    expect((await verifyStore(storage, {})).problems).toEqual([]);
    expect(await thinNodes(storage)).toBe(0);
  });

  test("V43 what writers store while nodes are dropped is whole, also for one who looked before that", async () => {
    const storage = memoryStorage();
    const [pal, other] = [await testStore(storage), await testStore(storage)].map(({ store }) =>
      store.session(),
    );
    let round = 0;
    const write = (session = pal) => {
      const at = round++;
      const items = Array.from({ length: 150 }, (_, n) => ({
        text: `text ${at}`,
        type: "note",
        id: `fact-${(at * 97 + n) % 450}`,
      }));
      return session?.rememberMany(items, { snapshot: false });
    };
    for (let at = 0; at < 21; at++) await write();
    const { remove, transact } = {
      remove: storage.remove.bind(storage),
      transact: storage.transact.bind(storage),
    };
    let slices = 0;
    let isThinned = false;
    storage.remove = async (...args) => {
      const removed = await remove(...args);
      for (let at = 0; at < 5; at++) await write(other);
      slices++;
      return removed;
    };
    storage.transact = async (transaction) => {
      if (!isThinned && transaction.put.some(({ kind }) => kind === "node")) {
        isThinned = true;
        await thinNodes(storage);
      }
      return transact(transaction);
    };
    for (let at = 0; at < 8; at++) await write();
    expect(slices).toBeGreaterThan(1);

    const { stored, half } = await storedStates(storage);
    expect(stored.length).toBeGreaterThan(2);
    expect(half).toEqual([]);
  });

  test("V42 a state whose every node is gone is folded again from the changesets, and its root is checked", async () => {
    const { storage, hashes } = await history(300);
    const nodes = [];
    for await (const { hash } of storage.scan({ kinds: ["node"] })) nodes.push(hash);
    await storage.remove(nodes);
    const { store } = await testStore(storage);
    const pal = store.session();
    expect((await pal.list()).length).toBe((await pal.stats()).memories);
    expect((await pal.list({ at: hashes[50] as string })).length).toBeGreaterThan(30);
    expect((await verifyStore(storage, {})).ok).toBe(true);
    expect((await pal.remember("goes on")).verdict).toBe("accepted");
  });
});
