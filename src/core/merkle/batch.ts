import { type Hash, writeHash } from "../base/index.js";
import { KEY, nibbleAt } from "./node.js";

/** The new value of each key; null removes it. */
export type Changes = ReadonlyMap<Hash, Hash | null>;

/** Changes in ascending order of keys and in bytes, so that each subtree's share is one range. */
export interface Batch {
  readonly names: readonly Hash[];
  readonly keys: Buffer;
  readonly values: Buffer;
  /** 1 where the key is to be removed. */
  readonly removed: Uint8Array;
}

export function sortChanges(changes: Changes): Batch {
  const names = [...changes.keys()].sort();
  const keys = sortedKeys(names);
  const values = Buffer.allocUnsafe(names.length * KEY);
  const removed = new Uint8Array(names.length);
  for (let at = 0; at < names.length; at++) {
    const value = changes.get(names[at]!);
    if (typeof value === "string") writeHash(value, values, at * KEY);
    else removed[at] = 1;
  }
  return { names, keys, values, removed };
}

export function sortedKeys(names: readonly Hash[]): Buffer {
  const keys = Buffer.allocUnsafe(names.length * KEY);
  for (let at = 0; at < names.length; at++) writeHash(names[at]!, keys, at * KEY);
  return keys;
}

/** The end of the keys from `from` on that go to the same child at `depth`. */
export function endOfGroup(keys: Buffer, from: number, to: number, depth: number): number {
  const nibble = nibbleAt(keys, from * KEY, depth);
  let end = from + 1;
  while (end < to && nibbleAt(keys, end * KEY, depth) === nibble) end++;
  return end;
}

export function countRemovals(batch: Batch, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) count += batch.removed[at]!;
  return count;
}
