/** memories: remember, update, forget, move, observe, get and list. */

export { admit, holdChanges, judgeMoved, refused, restore } from "./admit.js";
export { changedRecord, checkEnd, newRecord, scopeOf } from "./build-record.js";
export { Followed } from "./followed.js";
export { erasedAmong, gather, type LeftOut, memoriesOf } from "./memories.js";
export { isEnded, type Memory } from "./memory.js";
export {
  type BulkOptions,
  FORGET,
  type ForgetOptions,
  GET,
  type GetOptions,
  LIST,
  type ListFilter,
  MANY,
  MOVE,
  type MoveOptions,
  UPDATE,
  type UpdateOptions,
  VIEW,
} from "./options.js";
export {
  byPlace,
  CONFIG_ID,
  DRAWER,
  type Drawer,
  descriptionOf,
  ensurePlace,
  findDrawer,
  findPlace,
  IDENTITY_ID,
  isDrawer,
  isRoom,
  nameOf,
  PALACE,
  type Place,
  parsePlace,
  parsePlaceName,
  placeText,
  ROOM,
  type Room,
  requirePlace,
  roomDocs,
  roomsAt,
  samePlaceName,
  saysNothing,
  TITLE,
} from "./places.js";
export { orderedChildren, outOfCircle } from "./placing.js";
export {
  type FieldSetter,
  goneSetter,
  provenance,
  saidRecord,
  setterOf,
  stronger,
  trustOf,
} from "./provenance.js";
export {
  assertMayBring,
  assertMayLose,
  assertWritable,
  weakerThanForgetter,
  weakerThanWriter,
} from "./rights.js";
export { isScopeKnown, positionsFor, ScopeTree, scopeTree } from "./scope-tree.js";
export {
  type Concern,
  concernOf,
  deletedVersion,
  findStaged,
  isOwnDecision,
  joinedBase,
  mergeThree,
  parseKind,
  presentAt,
  readIfWhole,
  refOfStaged,
  requireStaged,
  type Staged,
  type StagedChange,
  type StagedNote,
  sameWaiting,
  seesStaged,
  sideAt,
  stagedId,
  stagedItems,
} from "./staging.js";
export { recordSteps, type Transaction, type TransactionResult } from "./transaction.js";
export { forget, forgetOrRefuse } from "./verbs/forget.js";
export { get } from "./verbs/get.js";
export { facetsOf, list, placesIn, placesOf } from "./verbs/list.js";
export { move } from "./verbs/move.js";
export { observe } from "./verbs/observe.js";
export { remember, renew, topicTaken } from "./verbs/remember.js";
export { checkChange, laneFixed, update } from "./verbs/update.js";
export { type MemoryView, view } from "./verbs/view.js";
export { memoryVerbs } from "./verbs.js";
