/** branches: lines of history. What they have in common, what differs between versions, how refs are named, and pictures. */
export { type LaneCell, type LaneRow, laneRows } from "./lanes.js";
export { mergeBases } from "./merge-bases.js";
export { mermaidGraph } from "./mermaid.js";
export { type FieldChange, readContestedField, recordChanges } from "./record-changes.js";
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
  type SnapshotInfo,
  STAGING,
  snapshotInfo,
  snapshotsOf,
  stagingOf,
  stagingRef,
  TAGS,
  tagRef,
} from "./refs.js";
export { type Timeline, type TimelineRow, timeline } from "./timeline.js";
export type { Drawable } from "./tracks.js";
export { changedWords, type WordChange } from "./words.js";
