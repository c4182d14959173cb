/** core/merkle: the tree that makes one root of a whole state, and its proofs. */

export { applyChanges, setOne } from "./apply.js";
export { type Made, type Making, madeBy, nothingMade } from "./build.js";
export { checkTrie } from "./check-trie.js";
export { diffTries } from "./diff.js";
export { checkNode, EMPTY_NODE, EMPTY_ROOT, newNode } from "./node.js";
export type { Proof } from "./proof.js";
export type { ConsistencyProof } from "./proof-chain.js";
export {
  childrenOf,
  countEntries,
  isNeed,
  listEntries,
  lookup,
  lookupMany,
  type Need,
  type NodeSource,
  namesOf,
  provePath,
  reachable,
} from "./walk.js";
