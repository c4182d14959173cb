import { MAIN, timestamp } from "../core/base/index.js";
import type { Tip } from "../core/ledger/index.js";
import type { ConsistencyProof } from "../core/merkle/index.js";
import type { Verdict } from "../gate/index.js";
import { GET } from "../memories/index.js";
import {
  type Access,
  act,
  ask,
  COMMIT_NOTE,
  type Context,
  checkGiven,
  checkOptions,
  commitVerdict,
  either,
  Late,
  move,
  moveRefs,
  number,
  object,
  optional,
  PLACED,
  plainGiven,
  type Refs,
  read,
  refsAt,
  seenAt,
  THEN,
  type Then,
  text,
  tipAt,
  verb,
  WRITING,
  type WriteOptions,
  write,
} from "../repo/index.js";
import {
  BRANCH,
  BRANCH_CONTEXT,
  type BranchChange,
  CHANGES,
  type ChangesOptions,
  GRAPH,
  LOG,
  MERGE,
  MILESTONE,
  type MilestoneOptions,
  NEW_BRANCH,
  OPS,
  PICK,
  type PickOptions,
  PROVE,
  RESOLVE,
  type ResolveOptions,
  ROLLBACK,
  TRACE,
  type TraceOptions,
} from "./options.js";
import type { Branch } from "./verbs/branches.js";
import type { Resolution } from "./verbs/conflicts.js";
import type { Diff, TreeChanges } from "./verbs/diff.js";
import type { MergeResult } from "./verbs/merge.js";
import type { StepKind } from "./verbs/work.js";

const branching = () => import("./verbs/branches.js");
const tagging = () => import("./verbs/tags.js");
const snapshots = () => import("./verbs/snapshots.js");
const picking = () => import("./verbs/pick.js");
const steps = () => import("./verbs/work.js");

/** What a session does with the past: looks at it, names the author of each field, goes back, and works on branches. */
export const historyVerbs = {
  /** Every version of one memory that is seen, oldest first; a forgotten memory has one too. */
  history: read(
    GET,
    () => import("./verbs/history.js"),
    ({ history }, at, { scope, exact }, id: string) => history(at, id, scope, exact),
  ),

  /** The commits that changed something the session sees, newest first. */
  log: read(
    LOG,
    () => import("./verbs/log.js"),
    ({ log }, { context, tip }, options) => log(context, [tip], options),
  ),

  /** Proof that a memory is, or is not, in the state; check it with `verifyProof` of `palimpsest/proof`. */
  prove: read(
    PROVE,
    () => import("./verbs/prove.js"),
    ({ prove }, at, { scope }, id: string) => prove(at, id, scope),
  ),

  /**
   * Proof that a head (by default the present one) rests on one that was kept; `verifyConsistency` of `palimpsest/proof`
   * checks it. Only for a session from which nothing is hidden.
   */
  proveConsistency: verb("reads", {}, (access) => {
    return async (old: string, to?: string): Promise<ConsistencyProof> => {
      const { keptHead, proveConsistency } = await import("./verbs/prove.js");
      const kept = keptHead(access.context, old);
      return access.read(to, ({ reader, tip }) => proveConsistency(reader, tip, kept));
    };
  }),

  /** Figures over what the session sees. */
  stats: read(
    THEN,
    () => import("./verbs/stats.js"),
    ({ stats }, at, _options) => stats(at),
  ),

  /** What differs between two of commit, branch, tag, snapshot and time; by default up to the present. */
  diff: verb("reads", {}, (access) => {
    return (from: string, to?: string): Promise<Diff> =>
      access.read(to, async ({ context, reader, tip }) => {
        const { diff } = await import("./verbs/diff.js");
        return diff({ context, reader, tip: await tipAt(context, from) }, tip);
      });
  }),

  /** What changed in a tree between two states (commits or times; default now), in time proportional to the change. */
  changesBelow: verb("reads", CHANGES, (access, name) => {
    return async (id: string, options: ChangesOptions): Promise<TreeChanges> => {
      checkOptions(name, options, CHANGES);
      const { changesBelow } = await import("./verbs/diff.js");
      return access.read(undefined, (at) => changesBelow(at, id, options));
    };
  }),

  /** Who made us believe each field of a memory. */
  blame: read(
    PLACED,
    () => import("./verbs/blame.js"),
    ({ blame }, at, { scope }, id: string) => blame(at, id, scope),
  ),

  /** Every field on which merges left more than one value, with who says what. */
  conflicts: read(
    THEN,
    () => import("./verbs/conflicts.js"),
    ({ conflicts }, at, _options) => conflicts(at),
  ),

  /** Settles a contested field by taking a term (1 is the first listed) or writing a value. */
  resolve: verb("writes", { ...WRITING, ...RESOLVE }, (access, name) => {
    const code = new Late(() => import("./verbs/conflicts.js"));
    return async (
      id: string,
      field: string,
      resolution: Resolution,
      options: ResolveOptions & WriteOptions = {},
    ): Promise<Verdict> => {
      checkGiven(name, { field }, { field: text });
      const how = plainGiven(name, "resolution", resolution, optional(object));
      checkOptions(name, options, { ...WRITING, ...RESOLVE });
      return access.write(code, ({ resolve }, context) =>
        commitVerdict(context, {
          verb: "resolve",
          options,
          run: (job) => resolve(job, id, field, how, options.scope),
        }),
      );
    };
  }),

  /** Every branch, by name; with `at` those that there were then. */
  branches: ask(THEN, branching, async ({ branches, requireBranch }, context, options) => {
    const { withMainsAge } = await import("./totals.js");
    const found = await branches(context, await namesAt(context, options));
    // A branch whose ref is lost would seem to stand at the first commit.
    if (options.at === undefined) await requireBranch(context.engine, MAIN);
    return withMainsAge(context, found);
  }),

  /** Makes a branch of this session's head, or of any commit. A name that exists is an error and never moves. */
  createBranch: move(
    "create-branch",
    NEW_BRANCH,
    branching,
    ({ createBranch }, context, options, clean, name: string) => createBranch(context, name, options, clean),
  ),

  /** Says something else of a branch; its head stays. */
  describeBranch: verb("moves refs", BRANCH, (access, name) => {
    return async (branch: string, change: BranchChange): Promise<Branch> => {
      checkOptions(name, change, BRANCH);
      return access.open(async (context) => {
        const { describeBranch } = await branching();
        return moveRefs(context, "describe-branch", (clean) =>
          describeBranch(context, branch, change, clean),
        );
      });
    };
  }),

  /** Works on another branch from now on, and so will this agent's later sessions; running ones stay where they are. */
  checkout: act("moves refs", {}, branching, async ({ checkout }, access, _options, name: string) => {
    const { context } = access;
    const branch = await moveRefs(context, "checkout", () => checkout(context, name));
    access.moveTo(branch.name);
    return branch;
  }),

  /** Gives a branch another name, everywhere it is checked out too. */
  renameBranch: act(
    "moves refs",
    {},
    branching,
    async ({ renameBranch }, access, _options, from: string, to: string) => {
      const { context } = access;
      const branch = await moveRefs(context, "rename-branch", () => renameBranch(context, from, to), {
        alone: true,
      });
      if (access.context.branch === from) access.moveTo(branch.name);
      return branch;
    },
  ),

  /** Its commits stay as long as something rests on them, and `undo` brings it back. */
  deleteBranch: move(
    "delete-branch",
    {},
    branching,
    ({ deleteBranch }, context, _options, _clean, name: string) => deleteBranch(context, name),
    { alone: true },
  ),

  /** Names a commit for good: the head, or the one given. */
  tag: move("tag", {}, tagging, ({ tag }, context, _options, _clean, name: string, at?: string) =>
    tag(context, name, at),
  ),

  /** Every tag, by name; with `at` those that there were then. */
  tags: ask(THEN, tagging, async ({ tags }, context, options) => tags(await namesAt(context, options))),

  /** Takes a tag away; its commit stays. */
  deleteTag: move("delete-tag", {}, tagging, ({ deleteTag }, context, _options, _clean, name: string) =>
    deleteTag(context, name),
  ),

  /**
   * Brings another branch into this one (or into `into`). Conflicts are left in the records; it never fails on them.
   * With `dryRun` it says what it would bring and changes nothing.
   */
  merge: act(
    "writes",
    { ...WRITING, ...MERGE },
    () => import("./verbs/merge.js"),
    ({ merge }, { context }, options, source: string) => merge(context, source, options),
  ),

  /** Brings what one commit changed into this branch, as far as the session sees it. */
  cherryPick: verb("writes", { ...WRITING, ...PICK }, (access, name) => picked(access, name, "cherryPick")),

  /** Takes back what one commit changed, as a new commit. */
  revert: verb("writes", { ...WRITING, ...PICK }, (access, name) => picked(access, name, "revert")),

  /** Marks the present state to come back to. With a label it stays, without one the last 20 are kept. */
  snapshot: act("moves refs", {}, snapshots, async ({ snapshot }, { context }, _options, label?: string) => {
    const made = await moveRefs(context, "snapshot", () => snapshot(context, label));
    context.engine.log(`snapshot created: ${made.label ?? made.snapshot} at ${made.commit.slice(0, 12)}`);
    return made;
  }),

  /** The caller's own automatic snapshots and all labelled ones; 0 is the newest. */
  snapshots: ask(THEN, snapshots, async ({ snapshots }, context, options) =>
    snapshots(context, await namesAt(context, options)),
  ),

  /**
   * Goes back to a snapshot (by index, id or label), commit, tag or time, as one new commit, in what the session sees.
   * It changes nothing if that would take back other authors' commits, unless the caller allows it.
   */
  rollback: act(
    "writes",
    { ...COMMIT_NOTE, ...ROLLBACK },
    () => import("./verbs/rollback.js"),
    ({ rollback }, { context }, options, target?: string | number) => {
      const meant = target === undefined ? 0 : target;
      checkGiven("rollback", { target: meant }, { target: either(text, number) });
      return rollback(context, meant, options);
    },
  ),

  /** The commits of all branches, for a picture. */
  graph: ask(
    GRAPH,
    () => import("./verbs/graph.js"),
    ({ graph }, context, options) => graph(context, options),
  ),

  /** Inverts this agent's last operation on the branch, or any by its id, as a new operation. */
  undo: act(
    "writes",
    COMMIT_NOTE,
    () => import("./verbs/undo.js"),
    ({ undo }, { context }, options, op?: string) => {
      checkGiven("undo", { operation: op }, { operation: optional(text) });
      return undo(context, op, options);
    },
  ),

  /** The operation log: what moved which refs, newest first. */
  ops: ask(
    OPS,
    () => import("./verbs/ops.js"),
    ({ ops }, context, options) => ops(context, options),
  ),

  /** Records a milestone of the branch: its purpose, the progress so far, and what this one adds. */
  commit: verb("writes", { ...WRITING, ...MILESTONE }, (access, name) => {
    const code = new Late(() => import("./verbs/work.js"));
    return async (message: string, options: MilestoneOptions & WriteOptions = {}): Promise<Verdict> => {
      checkGiven(name, { message }, { message: text });
      checkOptions(name, options, { ...WRITING, ...MILESTONE });
      return access.write(code, ({ milestone }, context) =>
        commitVerdict(context, {
          verb: "commit",
          options: { ...options, message },
          run: (job) => milestone(job, message, options),
        }),
      );
    };
  }),

  /** Notes one step of the work: what was observed, thought or done. */
  addStep: write("trace", {}, steps, async ({ addStep }, job, _options, kind: StepKind, step: string) => {
    checkGiven("addStep", { kind, text: step }, { kind: text, text });
    return addStep(job, kind, step);
  }),

  /** The steps of a branch since it was made, oldest first. */
  trace: ask(TRACE, steps, async ({ trace }, context, options) => {
    const { at, branch } = await branchMeant(context, options);
    return trace(at, branch);
  }),

  /** What somebody who takes over a branch has to know, within a budget of tokens. */
  branchContext: ask(
    BRANCH_CONTEXT,
    () => import("./verbs/work.js"),
    async ({ branchContext }, context, options) => {
      const { at, branch } = await branchMeant(context, options);
      return branchContext(at, branch, options);
    },
  ),

  /** The work of all branches as files for a folder `.GCC`, by their path in it. */
  gccFiles: ask(
    {},
    () => import("./verbs/work.js"),
    ({ gccFiles }, context, _options) => gccFiles(context, timestamp(context.engine.clock())),
  ),
};

/** What names mean, or meant at a commit, branch, tag, snapshot or time. */
const namesAt = async (context: Context, { at }: Then): Promise<Refs> =>
  at === undefined ? context.engine.storage : refsAt(context, at);

const branchMeant = async (context: Context, options: TraceOptions) =>
  (await branching()).branchAt(context, options);

/** What a name means is found out at the call, before the code is loaded: a branch may have moved on by then. */
const picked =
  (access: Access, name: string, how: "cherryPick" | "revert") =>
  async (commit: string, options: PickOptions & WriteOptions = {}): Promise<MergeResult> => {
    checkOptions(name, options, { ...WRITING, ...PICK });
    return access.open(async (context) => {
      const meant = await lastChangeAt(context, commit);
      return (await picking())[how](context, meant, options);
    });
  };

/** The last change that the session sees of a name; of a hash, that commit. */
async function lastChangeAt(context: Context, given: string): Promise<Tip> {
  const tip = await tipAt(context, given);
  return /^[0-9a-f]{7,64}$/.test(given) ? tip : seenAt({ context, reader: context.engine.reader, tip });
}
