import type { Hash } from "../base/index.js";
import { EMPTY_NODE, EMPTY_ROOT, entryCount, isBranch, problemsOf } from "./node.js";
import { asNeed, forEachChild, type Missing, type Need, type NodeSource } from "./walk.js";

export interface TrieProblem {
  readonly node: Hash;
  readonly problem: string;
}

/**
 * Every problem of every node of a trie: what `checkNode` says of it in its place, counts that are not the
 * sum of the children's, nodes met twice. `nodes` and `entries` are counted, not read off. Below a malformed
 * branch nothing is read. That bytes match their hash is the business of the source's owner.
 */
export function checkTrie(
  root: Hash,
  source: NodeSource,
): { problems: TrieProblem[]; nodes: number; entries: number } | Need {
  const missing: Missing = new Set();
  const problems: TrieProblem[] = [];
  const seen = new Set<Hash>();
  let entries = 0;

  /** The count that the node claims, or NaN when it is not known. */
  const visit = (hash: Hash, path: string): number => {
    // Within a trie no two nodes are alike; where they are, walking both could take for ever.
    if (seen.has(hash)) {
      problems.push({ node: hash, problem: "found twice: no node has two places in a trie" });
      return Number.NaN;
    }
    seen.add(hash);
    const node = hash === EMPTY_ROOT ? EMPTY_NODE : source(hash);
    if (node === undefined) {
      missing.add(hash);
      return Number.NaN;
    }
    const found = problemsOf(node, path.length, path);
    for (const problem of found) problems.push({ node: hash, problem });
    if (!isBranch(node)) {
      if (found.some(isUnreadable)) return Number.NaN;
      entries += entryCount(node);
    } else if (found.length > 0) {
      return Number.NaN;
    } else {
      let below = 0;
      forEachChild(node, path, (child, at) => {
        below += visit(child, at);
      });
      // NaN: a child could not be counted, which is a problem of the child and is reported there.
      if (!Number.isNaN(below) && below !== entryCount(node))
        problems.push({
          node: hash,
          problem: `bad count: says ${entryCount(node)}, its children hold ${below}`,
        });
    }
    return entryCount(node);
  };

  visit(root, "");
  return missing.size > 0 ? asNeed(missing) : { problems, nodes: seen.size, entries };
}

const isUnreadable = (problem: string): boolean =>
  problem.startsWith("bad tag") || problem.startsWith("bad length") || problem === "no bytes";
