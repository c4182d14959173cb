/** branches: lines of history. What they have in common, what differs between versions, and how refs are named. */
export { mergeBases } from "./merge-bases.js";
export { type FieldChange, readContestedField, recordChanges } from "./record-changes.js";
export {
  type BranchInfo,
  type BranchStatus,
  branchInfo,
  CHECKOUTS,
  checkoutRef,
  HEADS,
  headRef,
  type SnapshotInfo,
  snapshotInfo,
  snapshotsOf,
  TAGS,
  tagRef,
} from "./refs.js";
export { changedWords, type WordChange } from "./words.js";
