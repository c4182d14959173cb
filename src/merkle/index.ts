/**
 * merkle: the persistent map from hash to hash that every state is made of. A map has one shape and one root,
 * whatever the order of edits. Pure and synchronous: a missing node is answered with `{ need }`, the caller
 * fetches it and calls again. Malformed bytes throw DAMAGED.
 */
export { applyChanges } from "./apply.js";
export type { Changes } from "./batch.js";
export { type Made, type Making, madeBy, nothingMade } from "./build.js";
export { checkNode, type NodeContext } from "./check.js";
export { checkTrie, type TrieProblem } from "./check-trie.js";
export { diffTries, type EntryChange } from "./diff.js";
export { countEntries, lookup, lookupMany, provePath } from "./lookup.js";
export { EMPTY_NODE, EMPTY_ROOT, newNode } from "./node.js";
export type { ConsistencyProof, Proof } from "./proof.js";
export { setOne } from "./set-one.js";
export { isNeed, type Need, type NodeSource } from "./source.js";
export { childrenOf, listEntries, namesOf, reachable } from "./walk.js";
