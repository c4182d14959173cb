import { type Hash, writeHash } from "../base/index.js";
import { mergeBucket, patchBranch } from "./apply.js";
import type { Batch } from "./batch.js";
import { keep, type Making, nothingMade } from "./build.js";
import {
  childAt,
  compareKeys,
  EMPTY_NODE,
  EMPTY_ROOT,
  ENTRY,
  entryCount,
  hashNode,
  holdsKey,
  isBranch,
  KEY,
  keyOffset,
  lowerBound,
  MAX_BUCKET,
  newNode,
  nibbleOf,
} from "./node.js";
import { damaged, type Need, type NodeSource, nodeAt } from "./walk.js";

/** A batch of one, filled again for each call: nothing keeps it, and nothing else runs meanwhile. */
const keys = Buffer.alloc(KEY);
const values = Buffer.alloc(KEY);
const ONE: Batch = { names: [], keys, values, removed: new Uint8Array(1) };

/**
 * Sets the value of one key, as `applyChanges` would: down to its bucket, and the same way up again. Nearly every
 * commit is one such change in each of two tries, and what a batch needs to be sorted and grouped costs more than it.
 */
export function setOne(
  root: Hash,
  key: Hash,
  value: Hash,
  source: NodeSource,
  made: Making = nothingMade(),
): (Making & { root: Hash }) | Need {
  const path: Uint8Array[] = [];
  const hashes: Hash[] = [];
  let bucket = EMPTY_NODE;
  for (let hash: Hash | undefined = root; hash !== undefined; ) {
    const node = nodeAt(source, hash, path.length, key);
    if (node === undefined) return { need: [hash] };
    hashes.push(hash);
    if (isBranch(node)) {
      hash = childAt(node, nibbleOf(key, path.length));
      path.push(node);
    } else {
      bucket = node;
      hash = undefined;
    }
  }
  let node = withEntry(bucket, key, value, path.length, made);
  if (node === undefined) return { root, nodes: made.nodes, gone: made.gone };
  const added = entryCount(node) - entryCount(bucket);
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const branch = path[depth]!;
    const edit = { nibble: nibbleOf(key, depth), node };
    node = patchBranch(branch, [edit], entryCount(branch) + added, made.nodes);
    if (node === undefined) throw damaged(hashNode(branch), "its count is not that of its children");
  }
  for (const hash of hashes) if (hash !== EMPTY_ROOT) made.gone.push(hash);
  return { root: keep(made.nodes, node), nodes: made.nodes, gone: made.gone };
}

/** The bucket with the entry; a branch, where it was full; undefined when it holds it already. */
function withEntry(
  bucket: Uint8Array,
  key: Hash,
  value: Hash,
  depth: number,
  made: Making,
): Buffer | undefined {
  writeHash(key, keys, 0);
  writeHash(value, values, 0);
  const entry = lowerBound(bucket, keys, 0);
  const at = keyOffset(entry);
  if (holdsKey(bucket, entry, keys, 0)) {
    if (compareKeys(bucket, at + KEY, values, 0) === 0) return undefined;
    const changed = newNode(bucket.length);
    changed.set(bucket);
    changed.set(values, at + KEY);
    return changed;
  }
  const count = entryCount(bucket) + 1;
  if (count > MAX_BUCKET) return mergeBucket(bucket, ONE, 0, 1, depth, made.nodes);
  const longer = newNode(bucket.length + ENTRY);
  longer.set(bucket);
  longer.copyWithin(at + ENTRY, at, bucket.length);
  longer[1] = count;
  longer.set(keys, at);
  longer.set(values, at + KEY);
  return longer;
}
