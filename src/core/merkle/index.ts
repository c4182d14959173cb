/** core/merkle: the tree that makes one root of a whole state, and its proofs. */

export { applyChanges } from "./apply.js";
export { type Made, type Making, madeBy, nothingMade } from "./build.js";
export { checkNode } from "./check.js";
export { checkTrie } from "./check-trie.js";
export { diffTries } from "./diff.js";
export { countEntries, lookup, lookupMany, provePath } from "./lookup.js";
export { EMPTY_NODE, EMPTY_ROOT, newNode } from "./node.js";
export type { Proof } from "./proof.js";
export type { ConsistencyProof } from "./proof-chain.js";
export { setOne } from "./set-one.js";
export { childrenOf, isNeed, listEntries, type Need, type NodeSource, namesOf, reachable } from "./walk.js";
