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
export { matchPlaybooks, type Playbook, type PlaybookHit, readPlaybook } from "./playbook.js";
export type { Promotion } from "./promotion.js";
export { SCRATCH, scratchOwner } from "./scratch-notes.js";
export { type NewScratch, type ScratchEntry, type ScratchHit, scratchText } from "./scratchpad.js";
export type { PlaceOptions } from "./verbs/palace.js";
export { identity } from "./verbs/palace-reads.js";
export type { ScratchOptions, ScratchSearchOptions } from "./verbs/scratch.js";
export type { SyncOptions, SyncReport } from "./verbs/sync-palace.js";
