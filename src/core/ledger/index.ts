/** core/ledger: records, commits and branches, and how histories merge. */

export {
  buildCommit,
  GENESIS,
  GENESIS_CHANGESET,
  GENESIS_TIP,
  isCheckpoint,
  SYSTEM,
  storesNodes,
  type Tip,
} from "./commit.js";
export { fieldsOf, readField, withField } from "./fields.js";
export {
  clears,
  isSensitivity,
  isTrust,
  type Lane,
  laneOf,
  sensitivityOf,
  trustRank,
  weakest,
} from "./lanes.js";
export { linksOf, parentLink, topicLink } from "./links.js";
export { type Gone, mergeRecords, type Present, type Setter, type Side } from "./merge.js";
export { mergeBases } from "./merge-bases.js";
export { decodeObject, type Encoded, encodeObject, type Kinds, parseObject } from "./objects.js";
export { isPosition, positionBetween } from "./position.js";
export {
  byCodeUnit,
  canonicalRecord,
  contentHash,
  expandRecord,
  type FullRecord,
  sentence,
  treeHash,
} from "./record.js";
export { type FieldChange, readContestedField, recordChanges } from "./record-changes.js";
export {
  type BranchInfo,
  type BranchStatus,
  branchInfo,
  CHECKOUTS,
  checkoutRef,
  ERASED,
  HEADS,
  headRef,
  mergedMeta,
  SNAPSHOTS,
  STAGING,
  snapshotInfo,
  snapshotsOf,
  stagingOf,
  stagingRef,
  TAGS,
  tagRef,
} from "./refs.js";
export { asSaid, fieldsAside, isAside, setAside } from "./set-aside.js";
export {
  foldEvents,
  type StateChange,
  scopeEntries,
  stateDiff,
  stateLookup,
  stateNodes,
  stateProof,
} from "./state.js";
export { type Counters, countersBefore, touchOf } from "./touch.js";
export type {
  Author,
  Commit,
  Contest,
  LedgerEvent,
  Lifetime,
  MemoryRecord,
  Note,
  Op,
  Operation,
  Origin,
  Sensitivity,
  Term,
  Tier,
  Tombstone,
  Touch,
  Triple,
  Trust,
} from "./types.js";
export type { WordChange } from "./words.js";
