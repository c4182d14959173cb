import type { Timestamp } from "../core/base/index.js";
import type { BranchStatus } from "../core/ledger/index.js";
import {
  count,
  type Field,
  flag,
  type Given,
  oneOf,
  quantity,
  THEN,
  text,
  typed,
  WRITING,
} from "../repo/index.js";

/** What the verbs of history take. Their types, their checks and the options of doors follow from these fields. */

export const LOG = {
  ...THEN,
  limit: count.as("at most so many; default 20", "count"),
  events: flag.as("with what each commit changed"),
};
export type LogOptions = Given<typeof LOG>;

export const GRAPH = { ...LOG, limit: count.as("at most so many commits; default 200", "count") };
/** `at`: only what this commit, branch, tag, snapshot or time rests on. */
export type GraphOptions = Given<typeof GRAPH>;

export const OPS = { ...THEN, limit: count.as("at most so many; default 20", "count") };
/** `at`: only what had been done at a commit, branch, tag, snapshot or time. */
export type OpsOptions = Given<typeof OPS>;

export const PROVE = {
  ...THEN,
  scope: text.as("in this scope; default where it is found, else shared", "scope"),
};

export const CHANGES = {
  from: text.as("what it was: a commit, branch, tag, snapshot or time", "when"),
  to: typed<string | undefined>(text).as("what it became; default the present", "when"),
  scope: typed<string | undefined>(text).as("where it lives, if the id is in several scopes", "scope"),
};
export type ChangesOptions = Given<typeof CHANGES> & { readonly from: string };

export const RESOLVE = { scope: text.as("where it lives, if the id is in several scopes", "scope") };
export type ResolveOptions = Given<typeof RESOLVE>;

const status: Field<BranchStatus> = oneOf("open", "merged", "abandoned");

/** The words about a branch. */
export const BRANCH = {
  persona: text.as("whose mind it is; default the name of the branch", "name"),
  purpose: text.as("what it is for", "text"),
  status: status.as("whether work on it goes on", "status"),
};
export type BranchChange = Given<typeof BRANCH>;

export const NEW_BRANCH = {
  ...BRANCH,
  from: text.as("a commit, branch, tag, snapshot or time, HEAD~2; default where you are", "point"),
  created: typed<Timestamp>(text).as("when, if it was made elsewhere", "time"),
};
export type NewBranch = Given<typeof NEW_BRANCH>;

export const MERGE = {
  noFf: flag.as("make a commit even if the branch could just move on"),
  into: text.as("where to; default the branch you are on", "branch"),
  dryRun: WRITING.dryRun.as("say what it would bring and what would collide; change nothing"),
};
export type MergeOptions = Given<typeof MERGE>;

export const PICK = {
  mainline: count.as("of a merge: the parent its change is seen from; 1 is the branch merged into", "parent"),
};
export type PickOptions = Given<typeof PICK>;

export const ROLLBACK = { allAuthors: flag.as("also take back what others changed since") };
export type RollbackOptions = Given<typeof ROLLBACK>;

export const MILESTONE = {
  contribution: text.as("what it adds; the message if left out", "text"),
  decision: text.as("what was decided, in a sentence", "text"),
  roadmap: text.as("the plan of the whole work from now on", "text"),
};
export type MilestoneOptions = Given<typeof MILESTONE>;

export const TRACE = { ...THEN, branch: text.as("of which branch; default the one you are on", "branch") };
export type TraceOptions = Given<typeof TRACE>;

export const BRANCH_CONTEXT = {
  ...TRACE,
  k: count.as("the last milestones, with the steps since; default 1", "count"),
  budget: quantity.as("at most about so many tokens; default 2000", "tokens"),
  view: oneOf("full", "decisions").as("decisions leaves out everything but the decisions of milestones"),
};
export type BranchContextOptions = Given<typeof BRANCH_CONTEXT>;
