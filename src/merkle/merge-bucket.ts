import type { Batch } from "./batch.js";
import { compareKeys, ENTRY, entryCount, holdsKey, KEY, keyOffset, lowerBound } from "./node.js";

/** Sorted entries (key | value) without a node's head; there may be more of them than fit in a bucket. */
export interface Run {
  readonly entries: Buffer;
  readonly count: number;
}

/**
 * The entries of a bucket after changes `from`..`to`, or undefined if nothing changes. What lies between two
 * changes is copied as one block.
 */
export function mergeBucket(bucket: Uint8Array, batch: Batch, from: number, to: number): Run | undefined {
  const { keys, values, removed } = batch;
  const entries = Buffer.allocUnsafe((entryCount(bucket) + to - from) * ENTRY);
  let changed = false;
  let read = 0;
  let write = 0;
  const copyUntil = (entry: number): void => {
    entries.set(bucket.subarray(keyOffset(read), keyOffset(entry)), write);
    write += (entry - read) * ENTRY;
    read = entry;
  };
  for (let at = from; at < to; at++) {
    const entry = lowerBound(bucket, keys, at * KEY, read);
    const found = holdsKey(bucket, entry, keys, at * KEY);
    copyUntil(entry);
    if (removed[at] === 1) {
      changed ||= found;
    } else {
      changed ||= !found || compareKeys(bucket, keyOffset(entry) + KEY, values, at * KEY) !== 0;
      keys.copy(entries, write, at * KEY, at * KEY + KEY);
      values.copy(entries, write + KEY, at * KEY, at * KEY + KEY);
      write += ENTRY;
    }
    if (found) read++;
  }
  if (!changed) return undefined;
  copyUntil(entryCount(bucket));
  return { entries, count: write / ENTRY };
}
