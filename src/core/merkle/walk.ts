import { type Hash, PalimpsestError, shortHash, writeHash } from "../base/index.js";
import { endOfGroup, sortedKeys } from "./batch.js";
import {
  childAt,
  EMPTY_NODE,
  EMPTY_ROOT,
  entryCount,
  HEX,
  hashNode,
  holdsKey,
  isBranch,
  KEY,
  keyAt,
  lowerBound,
  nibbleAt,
  nibbleOf,
  problemsOf,
  valueAt,
} from "./node.js";

/** All entries whose keys begin with a prefix, in ascending order of keys. */
export function listEntries(
  root: Hash,
  source: NodeSource,
  prefix = "",
): { entries: [key: Hash, value: Hash][] } | Need {
  const missing: Missing = new Set();
  const entries: [Hash, Hash][] = [];

  const visit = (hash: Hash, path: string): void => {
    if (!path.startsWith(prefix.slice(0, path.length))) return;
    const node = load(source, hash, path.length, path, missing);
    if (node === undefined) return;
    if (isBranch(node)) forEachChild(node, path, visit);
    else if (missing.size === 0)
      for (let entry = 0; entry < entryCount(node); entry++) {
        const key = keyAt(node, entry);
        if (key.startsWith(prefix)) entries.push([key, valueAt(node, entry)]);
      }
  };
  visit(root, "");
  return missing.size > 0 ? asNeed(missing) : { entries };
}

/**
 * The nodes reachable from any of the roots. A hash for which `within` is false is left out together with
 * all that only it leads to, and is never asked for. The empty node, which nobody need store, is left out too.
 */
export function reachable(
  roots: readonly Hash[],
  source: NodeSource,
  within: (hash: Hash) => boolean,
): { nodes: Set<Hash> } | Need {
  const missing: Missing = new Set();
  const nodes = new Set<Hash>();

  const visit = (hash: Hash, path: string): void => {
    if (nodes.has(hash) || hash === EMPTY_ROOT || !within(hash)) return;
    nodes.add(hash);
    const node = load(source, hash, path.length, path, missing);
    if (node !== undefined && isBranch(node)) forEachChild(node, path, visit);
  };
  for (const root of roots) visit(root, "");
  return missing.size > 0 ? asNeed(missing) : { nodes };
}

export function forEachChild(
  branch: Uint8Array,
  path: string,
  visit: (child: Hash, path: string) => void,
): void {
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = childAt(branch, nibble);
    if (child !== undefined) visit(child, path + HEX[nibble]);
  }
}

/** Hashes that a node names: the children of a branch, or the values of a bucket. */
export function namesOf(node: Uint8Array): Hash[] {
  const children = childrenOf(node);
  if (isBranch(node)) return children;
  return Array.from({ length: entryCount(node) }, (_, entry) => valueAt(node, entry));
}

/** Hashes of the children of a branch in ascending order of nibbles; none for a bucket. */
export function childrenOf(node: Uint8Array): Hash[] {
  const problem = problemsOf(node, 0, "")[0];
  if (problem !== undefined) throw damaged(hashNode(node), problem);
  const children: Hash[] = [];
  if (isBranch(node)) forEachChild(node, "", (child) => children.push(child));
  return children;
}

/** Gives the bytes of a node, already verified against the hash by their owner, or undefined. */
export type NodeSource = (hash: Hash) => Uint8Array | undefined;

/** The nodes that the caller must fetch before it calls again. */
export interface Need {
  readonly need: readonly Hash[];
}

export const isNeed = (answer: unknown): answer is Need =>
  typeof answer === "object" && answer !== null && Array.isArray((answer as Partial<Need>).need);

/** What is asked for in one pass. A walk goes on past a missing node, so that a round fetches a whole level. */
export type Missing = Set<Hash>;

export const asNeed = (missing: Missing): Need => ({ need: [...missing] });

/**
 * Reads a node that lies `depth` nibbles down the path `prefix`; undefined when it is missing. All readers
 * come through here, so none can be led astray by bytes that hash well but are no part of a trie.
 */
export function nodeAt(
  source: NodeSource,
  hash: Hash,
  depth: number,
  prefix: string,
): Uint8Array | undefined {
  if (hash === EMPTY_ROOT) {
    if (depth > 0) throw damaged(hash, "an empty bucket below the root");
    return EMPTY_NODE;
  }
  const node = source(hash);
  if (node === undefined) return undefined;
  const problem = problemsOf(node, depth, prefix)[0];
  if (problem !== undefined) throw damaged(hash, problem);
  return node;
}

/** The same; what is missing is noted. */
export function load(
  source: NodeSource,
  hash: Hash,
  depth: number,
  prefix: string,
  missing: Missing,
): Uint8Array | undefined {
  const node = nodeAt(source, hash, depth, prefix);
  if (node !== undefined) return node;
  // Children are never shared within a trie. Were they, a few crafted branches could unfold without end.
  if (missing.has(hash)) throw damaged(hash, "it is found in two places of one trie");
  missing.add(hash);
  return undefined;
}

export const damaged = (hash: Hash, problem: string): PalimpsestError =>
  new PalimpsestError("DAMAGED", `Node ${shortHash(hash)} is malformed: ${problem}.`, {
    data: { node: hash, problem },
  });

/** The value of one key. */
export function lookup(root: Hash, key: Hash, source: NodeSource): { value: Hash | undefined } | Need {
  let depth = 0;
  for (let hash: Hash | undefined = root; hash !== undefined; depth++) {
    const node = nodeAt(source, hash, depth, key);
    if (node === undefined) return { need: [hash] };
    if (!isBranch(node)) return { value: valueIn(node, key) };
    hash = childAt(node, nibbleOf(key, depth));
  }
  return { value: undefined };
}

function valueIn(bucket: Uint8Array, key: Hash): Hash | undefined {
  writeHash(key, wanted, 0);
  const entry = lowerBound(bucket, wanted, 0);
  return holdsKey(bucket, entry, wanted, 0) ? valueAt(bucket, entry) : undefined;
}

/** Written anew for each look, which nothing interrupts. */
const wanted = Buffer.alloc(KEY);

/** The nodes from the root to the bucket where the key is or would be, or to the branch that lacks the child. */
export function provePath(root: Hash, key: Hash, source: NodeSource): { path: Uint8Array[] } | Need {
  const missing: Missing = new Set();
  const path: Uint8Array[] = [];
  for (let hash: Hash | undefined = root; hash !== undefined; ) {
    const node = load(source, hash, path.length, key, missing);
    if (node === undefined) return asNeed(missing);
    hash = isBranch(node) ? childAt(node, nibbleOf(key, path.length)) : undefined;
    path.push(node);
  }
  return { path };
}

/** The values of those of the keys that are there. Each node is read once, however many keys go through it. */
export function lookupMany(
  root: Hash,
  keys: readonly Hash[],
  source: NodeSource,
): { values: Map<Hash, Hash> } | Need {
  const values = new Map<Hash, Hash>();
  if (keys.length <= 1) {
    if (keys.length === 0) return { values };
    const found = lookup(root, keys[0]!, source);
    if ("need" in found) return found;
    return { values: found.value === undefined ? values : values.set(keys[0]!, found.value) };
  }
  const missing: Missing = new Set();
  const names = [...keys].sort();
  const bytes = sortedKeys(names);

  const visit = (hash: Hash, depth: number, from: number, to: number): void => {
    const node = load(source, hash, depth, names[from]!, missing);
    if (node === undefined) return;
    if (isBranch(node)) {
      for (let start = from; start < to; ) {
        const end = endOfGroup(bytes, start, to, depth);
        const child = childAt(node, nibbleAt(bytes, start * KEY, depth));
        if (child !== undefined) visit(child, depth + 1, start, end);
        start = end;
      }
      return;
    }
    let entry = 0;
    for (let at = from; at < to; at++) {
      entry = lowerBound(node, bytes, at * KEY, entry);
      if (holdsKey(node, entry, bytes, at * KEY)) values.set(names[at]!, valueAt(node, entry));
    }
  };
  visit(root, 0, 0, names.length);
  return missing.size > 0 ? asNeed(missing) : { values };
}

/** The number of entries, read off the root node. */
export function countEntries(root: Hash, source: NodeSource): { count: number } | Need {
  const missing: Missing = new Set();
  const node = load(source, root, 0, "", missing);
  return node === undefined ? asNeed(missing) : { count: entryCount(node) };
}
