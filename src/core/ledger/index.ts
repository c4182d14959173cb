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
export {
  type FieldChange,
  type Gone,
  mergeRecords,
  type Present,
  readContestedField,
  recordChanges,
  type Setter,
  type Side,
} from "./merge.js";
export { mergeBases } from "./merge-bases.js";
export { decodeObject, type Encoded, encodeObject, type Kinds, parseObject } from "./objects.js";
export { isPosition, positionBetween } from "./position.js";
export {
  byCodeUnit,
  canonicalRecord,
  contentHash,
  expandRecord,
  type FullRecord,
  fieldsOf,
  readField,
  sentence,
  treeHash,
  withField,
} from "./record.js";
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
export { type Counters, countersBefore, linksOf, parentLink, topicLink, touchOf } from "./touch.js";
export {
  type Author,
  type Commit,
  type Contest,
  clears,
  isSensitivity,
  isTrust,
  type Lane,
  type LedgerEvent,
  type Lifetime,
  laneOf,
  type MemoryRecord,
  type Note,
  type Op,
  type Operation,
  type Origin,
  type Sensitivity,
  sensitivityOf,
  type Term,
  type Tier,
  type Tombstone,
  type Touch,
  type Triple,
  type Trust,
  trustRank,
  weakest,
} from "./types.js";
export type { WordChange } from "./words.js";
