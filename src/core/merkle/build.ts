import { type Hash, writeHash } from "../base/index.js";
import {
  BRANCH_HEAD,
  BUCKET_HEAD,
  EMPTY_ROOT,
  ENTRY,
  entryCount,
  hashNode,
  isBranch,
  KEY,
  MAX_BUCKET,
  newNode,
  nibbleAt,
  popcount,
} from "./node.js";

/** Nodes made in one call. */
export type NewNodes = Map<Hash, Uint8Array>;

/** What a change does to a trie: the nodes it makes, and the ones that give way to them. */
export interface Made {
  readonly nodes: ReadonlyMap<Hash, Uint8Array>;
  readonly gone: readonly Hash[];
}

/** The same while it is being made. */
export interface Making extends Made {
  readonly nodes: NewNodes;
  readonly gone: Hash[];
}

export const nothingMade = (): Making => ({ nodes: new Map(), gone: [] });

/** What changes that follow each other made and did not replace again. */
export function madeBy(changes: readonly Made[]): ReadonlyMap<Hash, Uint8Array> {
  if (changes.length === 1) return changes[0]!.nodes;
  const made: NewNodes = new Map();
  for (const { nodes, gone } of changes) {
    for (const hash of gone) made.delete(hash);
    for (const [hash, node] of nodes) made.set(hash, node);
  }
  return made;
}

/** Admits a node to the new trie. The empty node is known to all and is not handed out. */
export function keep(nodes: NewNodes, node: Uint8Array): Hash {
  const hash = hashNode(node);
  if (hash !== EMPTY_ROOT) nodes.set(hash, node);
  return hash;
}

/**
 * The node of a run of sorted entries (key | value), all on one path of `depth` nibbles. Nodes below it are
 * kept; the node itself is not, because its parent may yet collapse.
 */
export function buildNode(run: Buffer, from: number, to: number, depth: number, nodes: NewNodes): Buffer {
  if (to - from <= MAX_BUCKET) return newBucket(run, from, to);
  const children: Hash[] = [];
  let bitmap = 0;
  for (let start = from; start < to; ) {
    const nibble = nibbleAt(run, start * ENTRY, depth);
    let end = start + 1;
    while (end < to && nibbleAt(run, end * ENTRY, depth) === nibble) end++;
    children.push(keep(nodes, buildNode(run, start, end, depth + 1, nodes)));
    bitmap |= 1 << nibble;
    start = end;
  }
  const branch = newBranch(bitmap, to - from);
  children.forEach((hash, at) => {
    writeHash(hash, branch, BRANCH_HEAD + at * KEY);
  });
  return branch;
}

function newBucket(run: Buffer, from: number, to: number): Buffer {
  const bucket = newNode(BUCKET_HEAD + (to - from) * ENTRY);
  bucket[0] = 0;
  bucket[1] = to - from;
  run.copy(bucket, BUCKET_HEAD, from * ENTRY, to * ENTRY);
  return bucket;
}

/** A branch whose child hashes are still to be written. */
export function newBranch(bitmap: number, count: number): Buffer {
  const branch = newNode(BRANCH_HEAD + popcount(bitmap) * KEY);
  branch[0] = 1;
  branch.writeUInt16BE(bitmap, 1);
  writeCount(branch, count);
  return branch;
}

export const writeCount = (branch: Buffer, count: number): void => void branch.writeUIntBE(count, 3, 6);

/**
 * One bucket of all entries of several, in their order; undefined unless they hold exactly `count`.
 * The list may have holes, as that of a branch's children has.
 */
export function joinBuckets(parts: readonly Uint8Array[], count: number): Buffer | undefined {
  let entries = 0;
  parts.forEach((part) => {
    entries += isBranch(part) ? Number.NaN : entryCount(part);
  });
  if (entries !== count) return undefined;
  const bucket = newNode(BUCKET_HEAD + count * ENTRY);
  bucket[0] = 0;
  bucket[1] = count;
  let at = BUCKET_HEAD;
  parts.forEach((part) => {
    bucket.set(part.subarray(BUCKET_HEAD), at);
    at += part.length - BUCKET_HEAD;
  });
  return bucket;
}
