/** palace: rooms and drawers, the scratchpad, promotion, playbooks, the Markdown mirror. Pure. */

export { DEFAULT_CONFIG, editConfig, type PalaceConfig, readConfig } from "./config.js";
export { asShown, readBody, renderDrawer, type ShownEntry } from "./drawer-file.js";
export { distinctStems, fileStem, isFileStem, stemKey } from "./file-names.js";
export {
  forCodeReview,
  forHealthCheck,
  forIssueAnalysis,
  LAYOUTS,
  type Layout,
  type LayoutRoom,
} from "./layouts.js";
export {
  CONFIG_FILE,
  emptyBase,
  IDENTITY_FILE,
  type Kept,
  type MirrorBase,
  matchFiles,
  README,
  ROOMS,
  saidBy,
  type Wanted,
  type WantedPlace,
  type WantedRoom,
} from "./mirror.js";
export {
  CONFIG_ID,
  DRAWER,
  drawerId,
  IDENTITY_ID,
  PALACE,
  PALACE_ID,
  type Place,
  parsePlace,
  parsePlaceName,
  placeText,
  ROOM,
  roomId,
  samePlaceName,
  TITLE,
} from "./places.js";
export { matchPlaybooks, type Playbook, type PlaybookHit, readPlaybook } from "./playbook.js";
export {
  checkPromotion,
  type Promotion,
  type Route,
  refuseSummary,
  routeByTopic,
  STALE_MS,
  UNSORTED,
} from "./promotion.js";
export {
  append,
  current,
  DEFAULT_TTL,
  EMPTY_PAD,
  type NewScratch,
  nextExpiry,
  type Pad,
  readPad,
  type ScratchEntry,
  type ScratchHit,
  scratchText,
  searchPad,
  withoutExpired,
} from "./scratchpad.js";
export {
  byPlace,
  type Drawer,
  descriptionOf,
  isDrawer,
  isRoom,
  nameOf,
  type Placed,
  type Room,
  roomOf,
  saysNothing,
} from "./tree.js";
