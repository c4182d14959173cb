import type { Hash } from "../base/index.js";
import { sameChild } from "./diff.js";
import { childAt, EMPTY_ROOT, HEX, isBranch } from "./node.js";
import { asNeed, load, type Missing, type Need, type NodeSource } from "./source.js";

/** The nodes of a trie that another lacks, in time proportional to what differs. Nothing is hashed for it. */
export function nodesBeyond(
  base: Hash,
  root: Hash,
  source: NodeSource,
): { nodes: Map<Hash, Uint8Array> } | Need {
  const missing: Missing = new Set();
  const nodes = new Map<Hash, Uint8Array>();

  const visit = (hash: Hash, other: Hash | undefined, path: string): void => {
    const node = load(source, hash, path.length, path, missing);
    if (node === undefined) return;
    nodes.set(hash, node);
    if (!isBranch(node)) return;
    const facing = other === undefined ? undefined : load(source, other, path.length, path, missing);
    if (other !== undefined && facing === undefined) return;
    for (let nibble = 0; nibble < 16; nibble++) {
      if (facing && sameChild(facing, node, nibble)) continue;
      const child = childAt(node, nibble);
      if (child === undefined) continue;
      visit(child, facing && isBranch(facing) ? childAt(facing, nibble) : undefined, path + HEX[nibble]);
    }
  };
  if (root !== base && root !== EMPTY_ROOT) visit(root, base, "");
  return missing.size > 0 ? asNeed(missing) : { nodes };
}
