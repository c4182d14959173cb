/** repo: states at commits, the one way to write, names in time, and live views. */

export { Access, answer } from "./access.js";
export { type Caller, type Made, Recent, Served } from "./caller.js";
export type { Chores, Companion, WrittenItem } from "./companion.js";
export type { At, AtTip, Context, Job } from "./context.js";
export { Engine } from "./engine.js";
export { Late, writing } from "./late.js";
export {
  checkPut,
  chunksOf,
  editFile,
  isOfFiles,
  isThere,
  putFile,
  putFiles,
  readText,
  textChunksOf,
  unusable,
  unwritable,
  walk,
  writeWhole,
} from "./live/files.js";
export { lineRows } from "./live/follow-view.js";
export { type IndexState, imageState, NOTE, removeImages } from "./live/view-image.js";
export {
  type Allowed,
  action,
  anything,
  COMMIT_NOTE,
  type CommitNote,
  checkGiven,
  checkOptions,
  count,
  either,
  type Field,
  type Fields,
  flag,
  type Given,
  json,
  list,
  listOf,
  mode,
  number,
  object,
  oneOf,
  optional,
  PLACED,
  type Placed,
  path,
  plainGiven,
  progress,
  quantity,
  readOnce,
  sensitivity,
  shape,
  signal,
  THEN,
  type Then,
  text,
  texts,
  tier,
  trust,
  typed,
  WRITING,
  type WriteOptions,
  withOptions,
  word,
} from "./options.js";
export {
  type Entry,
  entriesOf,
  type Holder,
  isExpired,
  type Key,
  linkedEntries,
  loadEntry,
  unreadHistory,
} from "./read/entries.js";
export { Erased, textDigest } from "./read/erased.js";
export {
  asked,
  draftLookup,
  findHolder,
  findKey,
  findNamed,
  findWhole,
  goneBefore,
  headLookup,
  isKnownName,
  notFound,
  outlived,
  requireEntry,
  visibleScopes,
  wholeId,
} from "./read/find.js";
export { assertNotErased, type Fate, fateOfId, type GoneBefore } from "./read/known-name.js";
export { countLive } from "./read/live-hashes.js";
export { type LiveVersion, LiveVersions, recordsOf } from "./read/live-versions.js";
export { type Glance, Neighbours, Wanted } from "./read/neighbours.js";
export { Reader } from "./read/reader.js";
export { anyRecord, Newest, type RowSight, rowSight } from "./read/rows.js";
export { SortedHashes } from "./read/sorted-hashes.js";
export { sweep } from "./read/sweep.js";
export { attentive, giveWay, type Look, looking } from "./read/turn.js";
export { pastOf, recordAt, rowAt, type Version } from "./read/versions.js";
export { byOrder, makeSight, type Sight } from "./sight.js";
export { changesVisibly, HEAD, isWithoutEvents, nowAt, parseNewName, seenAt, tipAt } from "./time/as-of.js";
export { moment, type Refs, refsAt } from "./time/refs-at.js";
export {
  findSnapshot,
  knownSnapshots,
  newSnapshotName,
  ringMoves,
  type Snapshot,
  snapshotMoves,
} from "./time/snapshots.js";
export {
  act,
  ask,
  type Bound,
  type Effect,
  move,
  read,
  type Verb,
  verb,
  write,
  writeSeveral,
} from "./verb.js";
export type { Change } from "./watch.js";
export {
  asideOf,
  asVerdict,
  type Clean,
  commit,
  commitBeside,
  commitVerdict,
  commitVerdicts,
  eraseBytes,
  moveRefs,
  type NewCommit,
  type RefPlan,
  type Rehearsal,
  rehearse,
  SnapshotBefore,
  withCommit,
} from "./write/commit.js";
export { type CommitInfo, commitInfo, encodeOperation } from "./write/commit-info.js";
export { Draft, type Held } from "./write/draft.js";
export { countUse, useKey, usesOf, voiceOf } from "./write/uses.js";
export { tooManyWait, waitingMeta, waitingOf } from "./write/waiting.js";
export { type Done, FIRST_BRANCH, readHead, unfoundHead } from "./write/writer.js";
