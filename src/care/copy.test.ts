import { expect, it } from "vitest";
import { hashBytes } from "../core/base/hash.js";
import { memoryStorage, type StoredObject, type Transaction } from "../storage/index.js";
import { copyStore } from "./restore.js";

async function* nothing(): AsyncGenerator<never> {}

it.each([
  ["while objects are put", 1],
  ["when all is there but refs", 3],
])(
  "CA161 of two that fill one place at once, none goes on with what it could not put there (%s)",
  async (_, at) => {
    const [from, to] = [memoryStorage(), memoryStorage()];
    const note = (n: number): StoredObject => {
      const bytes = Buffer.from(`"note ${n}"`);
      return { kind: "note", hash: hashBytes("note", bytes), bytes };
    };
    const put = Array.from({ length: 1_500 }, (_, n) => note(n));
    const refs = [{ name: "heads/main", expect: null, next: { target: put[0]!.hash } }];
    await from.transact({ put, refs, touch: [], ops: [], epoch: 0 });
    // As another one does that begins here, finds rows, and takes them for left over.
    const [tend, transact] = [to.tend.bind(to), to.transact.bind(to)];
    let times = 0;
    const refused: number[] = [];
    let tried = 0;
    Object.assign(to, {
      transact: async (transaction: Transaction) => {
        const result = await transact(transaction);
        tried++;
        if (result === "stale") refused.push(tried);
        return result;
      },
      tend: async () => {
        if (++times === at) await to.rebuild(nothing(), (await to.version()).seq);
        await tend();
      },
    });
    await expect(copyStore(from, to)).rejects.toMatchObject({ code: "STORE_BUSY" });
    expect((await to.refs("")).size).toBe(0);
    // Nothing was tried after the first that could not be put there.
    expect(refused).toEqual([tried]);
  },
);
