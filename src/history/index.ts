/** history: branches, merges, rollback, differences and who said what. */

export { type Drawable, type LaneCell, type LaneRow, laneRows, mermaidGraph } from "./lanes.js";
export {
  BRANCH,
  BRANCH_CONTEXT,
  type BranchChange,
  type BranchContextOptions,
  GRAPH,
  type GraphOptions,
  LOG,
  type LogOptions,
  MERGE,
  type MergeOptions,
  MILESTONE,
  type MilestoneOptions,
  NEW_BRANCH,
  type NewBranch,
  OPS,
  type OpsOptions,
  PICK,
  type PickOptions,
  PROVE,
  RESOLVE,
  ROLLBACK,
  type RollbackOptions,
  TRACE,
} from "./options.js";
export { mergeChange } from "./replay.js";
export { ReturnedTopics } from "./returned-topics.js";
export { type Timeline, type TimelineRow, timeline } from "./totals.js";
export { type BlameItem, blame } from "./verbs/blame.js";
export { type Branch, branches, lastCheckout } from "./verbs/branches.js";
export { conflicts, type Resolution } from "./verbs/conflicts.js";
export type { ChangedItem, Diff, DiffItem, TreeChanges } from "./verbs/diff.js";
export type { GraphCommit } from "./verbs/graph.js";
export { type HistoryItem, history } from "./verbs/history.js";
export { type LogEvent, type LogItem, log, logItems, visibleCommits } from "./verbs/log.js";
export type { Conflict, HeldBack, MergeOutcome, MergeResult } from "./verbs/merge.js";
export { type OperationItem, type PassedOver, seesOperation } from "./verbs/ops.js";
export { prove } from "./verbs/prove.js";
export type { AuthorCommits, RollbackResult } from "./verbs/rollback.js";
export type { Snapshot } from "./verbs/snapshots.js";
export { type Stats, stats } from "./verbs/stats.js";
export type { Tag } from "./verbs/tags.js";
export type { UndoResult } from "./verbs/undo.js";
export { type BranchContext, milestonesOf, STEP_KINDS, type StepKind, type TraceStep } from "./verbs/work.js";
export { historyVerbs } from "./verbs.js";
