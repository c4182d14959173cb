import { type Hash, hashBytes, hashFromBytes } from "../base/index.js";

/*
 * A node is its bytes and is never decoded: readers use offsets, writers copy and patch. A cached node then
 * costs one buffer and a commit a few microseconds. Version 1, fixed for ever, since roots depend on it:
 *
 *   bucket  00 | n (0..32) | n x (key 32 | value 32), keys ascending
 *   branch  01 | bitmap u16 | entries below u48 | one child hash (32) per set bit, ascending nibble
 *
 * A subtree of at most 32 entries is always a bucket and a larger one always a branch, so that a map has one
 * shape and one root whatever the order of the edits that led to it.
 */
export const MAX_BUCKET = 32;
/** Nibbles of a key, and so the deepest a trie can be. */
export const MAX_DEPTH = 64;
export const BUCKET_HEAD = 2;
export const BRANCH_HEAD = 9;
export const KEY = 32;
export const ENTRY = 64;
export const MAX_COUNT = 2 ** 48 - 1;
export const HEX = "0123456789abcdef";

/** The bucket of no entries. Every reader knows it: it is never asked for and need not be stored. */
export const EMPTY_NODE: Uint8Array = Uint8Array.of(0, 0);
/** The root of the map of no entries. */
export const EMPTY_ROOT: Hash = hashNode(EMPTY_NODE);

export function hashNode(node: Uint8Array): Hash {
  return hashBytes("node", node);
}

/*
 * New nodes share slabs, of a score of commits: just after a commit one allocation takes as long as hashing a node five
 * times. A caller that keeps some of them for long copies those.
 */
const SLAB = 65_536;

let slab = Buffer.allocUnsafeSlow(0);
let used = 0;

export function newNode(size: number): Buffer {
  if (used + size > slab.length) {
    if (size > SLAB) return Buffer.allocUnsafeSlow(size);
    slab = Buffer.allocUnsafeSlow(SLAB);
    used = 0;
  }
  used += size;
  return slab.subarray(used - size, used);
}

export const isBranch = (node: Uint8Array): boolean => node[0] === 1;

export function entryCount(node: Uint8Array): number {
  if (!isBranch(node)) return node[1]!;
  const high = (node[3]! << 8) | node[4]!;
  const low = ((node[5]! << 24) | (node[6]! << 16) | (node[7]! << 8) | node[8]!) >>> 0;
  return high * 2 ** 32 + low;
}

export const bitmapOf = (branch: Uint8Array): number => (branch[1]! << 8) | branch[2]!;

export function popcount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

export const hasChild = (branch: Uint8Array, nibble: number): boolean =>
  (bitmapOf(branch) & (1 << nibble)) !== 0;

/** Where the hash of the child lies, or would lie. */
export const childOffset = (branch: Uint8Array, nibble: number): number =>
  BRANCH_HEAD + KEY * popcount(bitmapOf(branch) & ((1 << nibble) - 1));

export function childAt(branch: Uint8Array, nibble: number): Hash | undefined {
  return hasChild(branch, nibble) ? hashFromBytes(branch, childOffset(branch, nibble)) : undefined;
}

export const keyOffset = (entry: number): number => BUCKET_HEAD + entry * ENTRY;
export const keyAt = (bucket: Uint8Array, entry: number): Hash => hashFromBytes(bucket, keyOffset(entry));
export const valueAt = (bucket: Uint8Array, entry: number): Hash =>
  hashFromBytes(bucket, keyOffset(entry) + KEY);

/** Nibble `depth` of the key that begins at `at`, the high nibble of a byte first. */
export function nibbleAt(bytes: Uint8Array, at: number, depth: number): number {
  const byte = bytes[at + (depth >> 1)]!;
  return depth & 1 ? byte & 15 : byte >> 4;
}

/** In ASCII the low four bits of a digit are its value, of a letter nine less. */
export function nibbleOf(key: Hash, depth: number): number {
  const code = key.charCodeAt(depth);
  return (code & 15) + (code >> 6) * 9;
}

/** Compares 32 bytes of each side. */
export function compareKeys(a: Uint8Array, atA: number, b: Uint8Array, atB: number): number {
  for (let i = 0; i < KEY; i++) {
    const difference = a[atA + i]! - b[atB + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The first entry at or after `from` whose key is not below the given one. */
export function lowerBound(bucket: Uint8Array, key: Uint8Array, at: number, from = 0): number {
  let low = from;
  let high = bucket[1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(bucket, keyOffset(middle), key, at) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether `entry`, as found by `lowerBound`, holds the key. */
export const holdsKey = (bucket: Uint8Array, entry: number, key: Uint8Array, at: number): boolean =>
  entry < bucket[1]! && compareKeys(bucket, keyOffset(entry), key, at) === 0;

/** Where a node was found: `depth` nibbles below its root, on the path that begins with `prefix`. */
interface NodeContext {
  readonly depth: number;
  /** Lower-case hexadecimal digits; only the first `depth` count, so a whole key on the path will do. */
  readonly prefix: string;
}

const NONE: readonly string[] = [];

/**
 * What is wrong with the bytes of one node, as far as they alone can tell; with a context also what is
 * wrong with them in that place. Never throws.
 */
export function checkNode(node: Uint8Array, context?: NodeContext): string[] {
  return [...problemsOf(node, context?.depth ?? 0, context?.prefix ?? "")];
}

/** The same without an allocation for the usual answer, since each node that is read comes through here. */
export function problemsOf(node: Uint8Array, depth: number, prefix: string): readonly string[] {
  if (node[0] === 0) return bucketProblems(node, depth, prefix);
  if (isBranch(node)) return branchProblems(node, depth);
  return [node.length === 0 ? "no bytes" : `bad tag ${node[0]}`];
}

function branchProblems(node: Uint8Array, depth: number): readonly string[] {
  if (node.length < BRANCH_HEAD) return ["bad length: a branch has at least 9 bytes"];
  const bitmap = bitmapOf(node);
  const length = BRANCH_HEAD + KEY * popcount(bitmap);
  const count = entryCount(node);
  if (node.length === length && bitmap !== 0 && count > MAX_BUCKET && depth < MAX_DEPTH) return NONE;
  const problems: string[] = [];
  if (node.length !== length) problems.push(`bad length: ${node.length} bytes instead of ${length}`);
  if (bitmap === 0) problems.push("bitmap 0: a branch without children");
  if (count <= MAX_BUCKET) problems.push(`bad count: a branch of ${count} entries should be a bucket`);
  if (depth >= MAX_DEPTH) problems.push("bad depth: a branch below the last nibble");
  return problems;
}

function bucketProblems(node: Uint8Array, depth: number, prefix: string): readonly string[] {
  if (node.length < BUCKET_HEAD) return ["bad length: a bucket has at least 2 bytes"];
  const count = entryCount(node);
  const length = BUCKET_HEAD + ENTRY * count;
  if (node.length !== length) return [`bad length: ${node.length} bytes instead of ${length}`];
  const problems: string[] = [];
  if (count > MAX_BUCKET) problems.push(`bad count: a bucket of ${count} entries should be a branch`);
  if (count === 0 && depth > 0) problems.push("bad count: an empty bucket below the root");
  for (let entry = 1; entry < count; entry++) {
    const order = compareKeys(node, keyOffset(entry - 1), node, keyOffset(entry));
    if (order === 0) problems.push(`duplicate key: entries ${entry - 1} and ${entry}`);
    else if (order > 0) problems.push(`unsorted keys: entries ${entry - 1} and ${entry}`);
  }
  const sorted = problems.length === 0;
  for (let entry = 0; entry < count; entry++) {
    // Of sorted keys the first and the last speak for all between them.
    if (sorted && entry > 0 && entry < count - 1) continue;
    if (!hasPrefix(node, keyOffset(entry), depth, prefix))
      problems.push(`key outside its prefix: entry ${entry}`);
  }
  return problems.length === 0 ? NONE : problems;
}

function hasPrefix(node: Uint8Array, at: number, depth: number, prefix: string): boolean {
  const end = Math.min(depth, MAX_DEPTH);
  for (let i = 0; i < end; i++) {
    const code = prefix.charCodeAt(i);
    if (nibbleAt(node, at, i) !== (code > 57 ? code - 87 : code - 48)) return false;
  }
  return true;
}
