/** palace: rooms and drawers, the scratchpad, promotion, playbooks, the Markdown mirror. Pure. */
export {
  forCodeReview,
  forHealthCheck,
  forIssueAnalysis,
  LAYOUTS,
  type Layout,
  type LayoutRoom,
} from "./layouts.js";
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
} from "./tree.js";
