/** palace: rooms, drawers, the scratchpad and the folder that mirrors them. */

export type { PalaceConfig } from "./config.js";
export {
  forCodeReview,
  forHealthCheck,
  forIssueAnalysis,
  LAYOUTS,
  type Layout,
  type LayoutRoom,
} from "./layouts.js";
export {
  IDENTITY,
  NEW_PLACE,
  PALACE_AT,
  PLACE,
  type PlaceOptions,
  PROMOTE_SCRATCH,
  SCRATCH_LIST,
  SCRATCH_OF,
  SCRATCH_SEARCH,
  type ScratchOptions,
  type ScratchSearchOptions,
  SET_IDENTITY,
  SYNC,
  type SyncOptions,
} from "./options.js";
export { matchPlaybooks, type Playbook, type PlaybookHit, readPlaybook } from "./playbook.js";
export type { Promotion } from "./promotion.js";
export {
  type NewScratch,
  SCRATCH,
  type ScratchEntry,
  type ScratchHit,
  scratchOwner,
  scratchText,
} from "./scratchpad.js";
export { identity } from "./verbs/palace.js";
export type { SyncReport } from "./verbs/sync-palace.js";
export { palaceVerbs } from "./verbs.js";
