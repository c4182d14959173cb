/** history: branches, merges, rollback, differences and who said what. */

export { type LaneCell, type LaneRow, laneRows } from "./lanes.js";
export { mermaidGraph } from "./mermaid.js";
export { mergeChange } from "./replay.js";
export { ReturnedTopics } from "./returned-topics.js";
export { type Timeline, type TimelineRow, timeline } from "./timeline.js";
export type { Drawable } from "./tracks.js";
export { type BlameItem, blame } from "./verbs/blame.js";
export type { BranchContext, BranchContextOptions } from "./verbs/branch-context.js";
export {
  type Branch,
  type BranchChange,
  branches,
  checkout,
  createBranch,
  deleteBranch,
  describeBranch,
  lastCheckout,
  type NewBranch,
  renameBranch,
  requireBranch,
} from "./verbs/branches.js";
export { conflicts } from "./verbs/conflicts.js";
export type { ChangedItem, Diff, DiffItem } from "./verbs/diff.js";
export type { GraphCommit, GraphOptions } from "./verbs/graph.js";
export { type HistoryItem, history } from "./verbs/history.js";
export { type LogEvent, type LogItem, type LogOptions, log, logItems, visibleCommits } from "./verbs/log.js";
export type { Conflict, HeldBack, MergeOptions, MergeOutcome, MergeResult } from "./verbs/merge.js";
export { type MilestoneOptions, milestonesOf } from "./verbs/milestones.js";
export { type OperationItem, type OpsOptions, type PassedOver, seesOperation } from "./verbs/ops.js";
export { changeOf, type PickOptions } from "./verbs/picked-change.js";
export { prove } from "./verbs/prove.js";
export type { Resolution } from "./verbs/resolve.js";
export type { AuthorCommits, RollbackOptions, RollbackResult } from "./verbs/rollback.js";
export { type Snapshot, snapshot, snapshotAt, snapshots } from "./verbs/snapshots.js";
export { type Stats, stats } from "./verbs/stats.js";
export { deleteTag, type Tag, tag, tags } from "./verbs/tags.js";
export { STEP_KINDS, type StepKind, type TraceStep } from "./verbs/trace.js";
export type { TreeChanges } from "./verbs/tree-changes.js";
export type { UndoResult } from "./verbs/undo.js";
