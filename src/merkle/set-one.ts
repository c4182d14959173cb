import type { Hash } from "../base/index.js";
import { patchBranch } from "./apply.js";
import type { Batch } from "./batch.js";
import { keep, type Making, nothingMade } from "./build.js";
import { mergeBucket } from "./merge-bucket.js";
import { childAt, EMPTY_NODE, EMPTY_ROOT, entryCount, hashNode, isBranch, KEY, nibbleOf } from "./node.js";
import { damaged, type Need, type NodeSource, nodeAt } from "./source.js";

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
  keys.write(key, 0, "hex");
  values.write(value, 0, "hex");
  let node = mergeBucket(bucket, ONE, 0, 1, path.length, made.nodes);
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
