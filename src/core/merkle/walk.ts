import type { Hash } from "../base/index.js";
import { problemsOf } from "./check.js";
import { childAt, EMPTY_ROOT, entryCount, HEX, hashNode, isBranch, keyAt, valueAt } from "./node.js";
import { asNeed, damaged, load, type Missing, type Need, type NodeSource } from "./source.js";

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
