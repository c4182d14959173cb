/** memories: remember, update, forget, move, observe, get and list. */

export { admit, judgeMoved, refused, restore } from "./admit.js";
export { changedRecord, checkEnd, newRecord, scopeOf } from "./build-record.js";
export { erasedAmong, type LeftOut } from "./erased-among.js";
export { Followed } from "./followed.js";
export { holdChanges } from "./hold-back.js";
export { gather, memoriesOf } from "./memories.js";
export { isEnded, type Memory } from "./memory.js";
export { deletedVersion, joinedBase, mergeThree, presentAt, readIfWhole, sideAt } from "./merge-sides.js";
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
export { positionsFor } from "./order.js";
export { ensurePlace, findDrawer, findPlace, requirePlace } from "./palace-places.js";
export { roomDocs, roomsAt } from "./palace-rooms.js";
export {
  CONFIG_ID,
  DRAWER,
  IDENTITY_ID,
  PALACE,
  type Place,
  parsePlace,
  parsePlaceName,
  placeText,
  ROOM,
  samePlaceName,
  TITLE,
} from "./places.js";
export { orderedChildren, outOfCircle } from "./placing.js";
export { type FieldSetter, goneSetter, provenance, setterOf, stronger, trustOf } from "./provenance.js";
export { assertMayBring, assertMayLose, assertWritable } from "./rights.js";
export { saidRecord } from "./said.js";
export { isScopeKnown, ScopeTree, scopeTree } from "./scope-tree.js";
export {
  type Concern,
  concernOf,
  findStaged,
  isOwnDecision,
  parseKind,
  refOfStaged,
  requireStaged,
  type Staged,
  type StagedChange,
  type StagedNote,
  sameWaiting,
  seesStaged,
  stagedId,
  stagedItems,
} from "./staging.js";
export { weakerThanForgetter, weakerThanWriter } from "./standing.js";
export { recordSteps, type Transaction, type TransactionResult } from "./transaction.js";
export {
  byPlace,
  type Drawer,
  descriptionOf,
  isDrawer,
  isRoom,
  nameOf,
  type Room,
  saysNothing,
} from "./tree.js";
export { forget, forgetOrRefuse } from "./verbs/forget.js";
export { get } from "./verbs/get.js";
export { facetsOf, list, placesIn, placesOf } from "./verbs/list.js";
export { move } from "./verbs/move.js";
export { observe } from "./verbs/observe.js";
export { remember, renew, topicTaken } from "./verbs/remember.js";
export { checkChange, laneFixed, update } from "./verbs/update.js";
export { type MemoryView, view } from "./verbs/view.js";
export { memoryVerbs } from "./verbs.js";
