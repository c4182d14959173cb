/** ledger: records, events, commits and how they fold into a state. Pure and synchronous. */
export {
  buildCommit,
  CHECKPOINT_EVERY,
  GENESIS,
  GENESIS_CHANGESET,
  GENESIS_TIP,
  isCheckpoint,
  type NewCommit,
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
  mostSensitive,
  sensitivityOf,
  trustRank,
  weakest,
} from "./lanes.js";
export { linksOf, parentLink, topicLink } from "./links.js";
export {
  type Gone,
  type MergeInput,
  type MergeResult,
  mergeRecords,
  type Present,
  type Setter,
  type Side,
} from "./merge.js";
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
export { asSaid, fieldsAside, isAside, setAside } from "./set-aside.js";
export {
  foldEvents,
  type StateChange,
  scopeEntries,
  scopeRoot,
  stateDiff,
  stateLookup,
  stateNodes,
  stateProof,
} from "./state.js";
export { type Counters, countersBefore, touchOf } from "./touch.js";
export type {
  Author,
  Changeset,
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
