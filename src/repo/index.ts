/** repo: states at commits, the one way to write, names in time, and live views. */

export { Access } from "./access.js";
export type { Caller, Made } from "./caller.js";
export type { Chores, Companion, WrittenItem } from "./companion.js";
export type { At, AtTip, Context, Job } from "./context.js";
export { Engine } from "./engine.js";
export { readOnce, withOptions } from "./given.js";
export { Late } from "./late.js";
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
export { type IndexState, imageState, NOTE, removeImages } from "./live/view-image.js";
export {
  type Allowed,
  action,
  anything,
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
  sensitivity,
  shape,
  signal,
  THEN,
  type Then,
  TOLD,
  type Told,
  text,
  texts,
  tier,
  trust,
  typed,
  WRITING,
  type WriteOptions,
  word,
} from "./options.js";
export {
  type Entry,
  entriesOf,
  type Holder,
  isExpired,
  linkedEntries,
  loadEntry,
  unreadHistory,
} from "./read/entries.js";
export { Erased } from "./read/erased.js";
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
export type { GoneBefore } from "./read/gone-before.js";
export { assertNotErased, type Fate, fateOfId } from "./read/known-name.js";
export { lineRows } from "./read/line-rows.js";
export { countLive } from "./read/live-hashes.js";
export { type LiveVersion, LiveVersions, recordsOf } from "./read/live-versions.js";
export type { Key } from "./read/lookup.js";
export { Neighbours } from "./read/neighbours.js";
export { Newest } from "./read/newest.js";
export { Reader } from "./read/reader.js";
export { anyRecord, type RowSight, rowSight } from "./read/rows.js";
export { SortedHashes } from "./read/sorted-hashes.js";
export { sweep } from "./read/sweep.js";
export { textDigest } from "./read/text-digest.js";
export { attentive, giveWay, type Look, looking } from "./read/turn.js";
export { pastOf, recordAt, rowAt, type Version } from "./read/versions.js";
export { type Glance, Wanted } from "./read/wanted-commits.js";
export { Recent } from "./recent.js";
export { Served } from "./served.js";
export { byOrder, makeSight, type Sight } from "./sight.js";
export { changesVisibly, isWithoutEvents, nowAt, seenAt, tipAt } from "./time/as-of.js";
export { HEAD, parseNewName } from "./time/head-name.js";
export { moment, type Refs, refsAt } from "./time/refs-at.js";
export { findSnapshot, knownSnapshots, type Snapshot } from "./time/snapshot-names.js";
export { newSnapshotName, ringMoves, snapshotMoves } from "./time/snapshot-ring.js";
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
export { answer } from "./write/answer.js";
export { asVerdict } from "./write/as-verdict.js";
export {
  asideOf,
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
export { type CommitInfo, commitInfo } from "./write/commit-info.js";
export { Draft, type Held } from "./write/draft.js";
export { writing } from "./write/late.js";
export { unfoundHead } from "./write/lost-branch.js";
export { encodeOperation } from "./write/operation.js";
export { countUse, useKey, usesOf, voiceOf } from "./write/uses.js";
export { tooManyWait, waitingMeta, waitingOf } from "./write/waiting.js";
export { type Done, FIRST_BRANCH, readHead } from "./write/writer.js";
