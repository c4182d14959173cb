import { describe, expect, test } from "vitest";
import { testStore } from "../../test/_worlds.js";
import { CHECKPOINT_EVERY } from "../ledger/index.js";
import { memoryStorage, type Storage } from "../storage/index.js";
import { thinNodes } from "./thin.js";
import { verifyStore } from "./verify.js";

const countNodes = async (storage: Storage): Promise<number> => {
  let nodes = 0;
  for await (const _ of storage.scan({ kinds: ["node"] })) nodes++;
  return nodes;
};

/** A store of several blocks of generations, every commit with its root. */
async function history(commits: number) {
  const storage = memoryStorage();
  const { remove } = storage;
  const { store } = await testStore(storage);
  const pal = store.session();
  storage.remove = async () => 0;
  const hashes: string[] = [];
  for (let at = 0; at < commits; at++) {
    const id = `fact-${at % 90}`;
    const { commit } =
      at % 11 === 10 ? await pal.forget(`fact-${(at - 1) % 90}`) : await pal.remember(`text ${at}`, { id });
    hashes.push(commit as string);
  }
  await store.settle();
  storage.remove = remove;
  await storage.setSide("thinned", null);
  return { storage, hashes };
}

describe("dropping derived nodes", () => {
  test("V40 nodes of states that neither a ref nor a checkpoint keeps are dropped; every state reads as before", async () => {
    const { storage, hashes } = await history(2 * CHECKPOINT_EVERY + 40);
    const before = await countNodes(storage);
    const answers = async () => {
      const { store } = await testStore(storage);
      const pal = store.session();
      const all: unknown[] = [];
      for (let at = 0; at < hashes.length; at += 37)
        all.push(
          (await pal.list({ at: hashes[at] as string })).map(({ id, text, version }) => [id, text, version]),
        );
      return all;
    };
    const expected = await answers();
    expect(await thinNodes(storage)).toBeGreaterThan(before / 3);
    expect(await countNodes(storage)).toBeLessThan((before * 2) / 3);
    expect(await answers()).toEqual(expected);
    expect((await verifyStore(storage, {})).problems).toEqual([]);
    expect(await thinNodes(storage)).toBe(0);
  });

  test("V41 a state whose every node is gone is folded again from the changesets, and its root is checked", async () => {
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

  test("V42 a writer drops nodes by itself, after it has answered, when it makes a checkpoint", async () => {
    const storage = memoryStorage();
    const { store } = await testStore(storage);
    const pal = store.session();
    for (let at = 0; at < CHECKPOINT_EVERY; at++) await pal.remember(`text ${at}`);
    await store.settle();
    expect(await countNodes(storage)).toBeLessThan(60);
    expect(Number(await storage.side("thinned"))).toBeGreaterThan(0);
  });
});
