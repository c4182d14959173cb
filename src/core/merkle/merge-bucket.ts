import type { Batch } from "./batch.js";
import { buildNode, type NewNodes } from "./build.js";
import {
  BUCKET_HEAD,
  compareKeys,
  ENTRY,
  entryCount,
  holdsKey,
  KEY,
  keyOffset,
  lowerBound,
  MAX_BUCKET,
  newNode,
} from "./node.js";

/**
 * What a bucket becomes after changes `from`..`to`, or undefined if nothing changes: a bucket, written where it will
 * stay, or, with more entries than fit in one, a branch. What lies between two changes is copied as one block.
 */
export function mergeBucket(
  bucket: Uint8Array,
  batch: Batch,
  from: number,
  to: number,
  depth: number,
  nodes: NewNodes,
): Buffer | undefined {
  const { keys, values, removed } = batch;
  const most = entryCount(bucket) + to - from;
  const size = BUCKET_HEAD + most * ENTRY;
  const merged = most <= MAX_BUCKET ? newNode(size) : Buffer.allocUnsafe(size);
  let changed = false;
  let read = 0;
  let write = BUCKET_HEAD;
  const copyUntil = (entry: number): void => {
    merged.set(bucket.subarray(keyOffset(read), keyOffset(entry)), write);
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
      keys.copy(merged, write, at * KEY, at * KEY + KEY);
      values.copy(merged, write + KEY, at * KEY, at * KEY + KEY);
      write += ENTRY;
    }
    if (found) read++;
  }
  if (!changed) return undefined;
  copyUntil(entryCount(bucket));
  const count = (write - BUCKET_HEAD) / ENTRY;
  if (most > MAX_BUCKET) return buildNode(merged.subarray(BUCKET_HEAD), 0, count, depth, nodes);
  merged[0] = 0;
  merged[1] = count;
  return count === most ? merged : merged.subarray(0, write);
}
