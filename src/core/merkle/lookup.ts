import { type Hash, writeHash } from "../base/index.js";
import { endOfGroup, sortedKeys } from "./batch.js";
import {
  childAt,
  entryCount,
  holdsKey,
  isBranch,
  KEY,
  lowerBound,
  nibbleAt,
  nibbleOf,
  valueAt,
} from "./node.js";
import { asNeed, load, type Missing, type Need, type NodeSource, nodeAt } from "./walk.js";

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
