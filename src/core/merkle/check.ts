import {
  BRANCH_HEAD,
  BUCKET_HEAD,
  bitmapOf,
  compareKeys,
  ENTRY,
  entryCount,
  isBranch,
  KEY,
  keyOffset,
  MAX_BUCKET,
  MAX_DEPTH,
  nibbleAt,
  popcount,
} from "./node.js";

/** Where a node was found: `depth` nibbles below its root, on the path that begins with `prefix`. */
export interface NodeContext {
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
