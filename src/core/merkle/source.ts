import { type Hash, PalimpsestError, shortHash } from "../base/index.js";
import { problemsOf } from "./check.js";
import { EMPTY_NODE, EMPTY_ROOT } from "./node.js";

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
