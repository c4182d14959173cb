import { type BranchName, MAIN, parseBranch, shortHash } from "../core/base/index.js";
import type { ConsistencyProof } from "../core/merkle/index.js";
import type { Verdict } from "../gate/index.js";
import type {
  BlameItem,
  Conflict,
  Diff,
  GraphCommit,
  GraphOptions,
  MergeOptions,
  MergeOutcome,
  MergeResult,
  OperationItem,
  OpsOptions,
  Resolution,
  RollbackOptions,
  RollbackResult,
  UndoResult,
} from "../history/index.js";
import {
  type Branch,
  type BranchChange,
  branches,
  changeOf,
  checkout,
  createBranch,
  deleteBranch,
  deleteTag,
  describeBranch,
  type NewBranch,
  type PickOptions,
  renameBranch,
  requireBranch,
  type Snapshot,
  snapshot,
  snapshotAt,
  snapshots,
  type Tag,
  tag,
  tags,
} from "../history/index.js";
import type { Draft, WriteOptions } from "../repo/index.js";
import {
  type Allowed,
  checkGiven,
  checkOptions,
  count,
  either,
  flag,
  number,
  object,
  oneOf,
  optional,
  PLACED,
  plainGiven,
  type Refs,
  refsAt,
  THEN,
  TOLD,
  text,
  tipAt,
  WRITING,
} from "../repo/index.js";
import { SessionCore } from "./session-core.js";

const PICK: Allowed<PickOptions & WriteOptions> = { ...WRITING, mainline: count };
const STATUS: Allowed<BranchChange> = {
  persona: text,
  purpose: text,
  status: oneOf("open", "merged", "abandoned"),
};

type Then = { readonly at?: string };
type Told = Omit<WriteOptions, "dryRun">;

/** The verbs that move through history: branches, tags, merges, snapshots, undo. Their code is loaded late. */
export class HistoryVerbs extends SessionCore {
  /** Every branch, by name; with `at` those that there were then. */
  async branches(options: Then = {}): Promise<readonly Branch[]> {
    checkOptions("branches", options, THEN);
    return this.tell(async () => {
      const { withMainsAge } = await import("../history/main-age.js");
      const found = await branches(this.context, await this.#names(options));
      // Whose ref is lost would be told to stand at the first commit.
      if (options.at === undefined) await requireBranch(this.engine, MAIN);
      return withMainsAge(this.context, this.engine.reader, found);
    });
  }

  /** Makes a branch of this session's head, or of any commit. A name that exists is an error and never moves. */
  async createBranch(name: string, options: NewBranch = {}): Promise<Branch> {
    checkOptions("createBranch", options, { ...STATUS, from: text, created: text });
    return this.moveRefs("create-branch", (clean) => createBranch(this.context, name, options, clean));
  }

  async describeBranch(name: string, change: BranchChange): Promise<Branch> {
    checkOptions("describeBranch", change, STATUS);
    return this.moveRefs("describe-branch", (clean) => describeBranch(this.context, name, change, clean));
  }

  /** Works on another branch from now on, and so will this agent's later sessions; running ones stay where they are. */
  async checkout(name: string): Promise<Branch> {
    const branch = await this.moveRefs("checkout", () => checkout(this.context, name));
    this.context = { ...this.context, branch: branch.name };
    return branch;
  }

  async renameBranch(from: string, to: string): Promise<Branch> {
    const branch = await this.moveRefs("rename-branch", () => renameBranch(this.context, from, to), {
      alone: true,
    });
    if (this.context.branch === from) this.context = { ...this.context, branch: branch.name };
    return branch;
  }

  deleteBranch(name: string): Promise<Branch> {
    return this.moveRefs("delete-branch", () => deleteBranch(this.context, name), {
      alone: true,
    });
  }

  /** Names a commit for good: the head, or the one given. */
  tag(name: string, at?: string): Promise<Tag> {
    return this.moveRefs("tag", () => tag(this.context, name, at));
  }

  async tags(options: Then = {}): Promise<readonly Tag[]> {
    checkOptions("tags", options, THEN);
    return this.tell(async () => tags(await this.#names(options)));
  }

  deleteTag(name: string): Promise<Tag> {
    return this.moveRefs("delete-tag", () => deleteTag(this.context, name));
  }

  /**
   * Brings another branch into this one (or into `into`). Conflicts are left in the records; it never fails on them.
   * With `dryRun` it says what it would bring and changes nothing.
   */
  async merge(
    source: string,
    options: MergeOptions & WriteOptions & { readonly into?: string } = {},
  ): Promise<MergeOutcome> {
    checkOptions("merge", options, { ...WRITING, noFf: flag, into: text });
    return this.open(async () => {
      const from = parseBranch(source);
      const into: BranchName = options.into === undefined ? this.context.branch : parseBranch(options.into);
      const { assertOther, merge, mergeMessage, withTermCommits } = await merging();
      assertOther(from, into);
      const run = (draft: Draft) => merge(this.context, draft, from, options);
      return withTermCommits(await this.aside("merge", options, run, into, mergeMessage));
    });
  }

  /** Brings what one commit changed into this branch, as far as the session sees it. */
  async cherryPick(commit: string, options: PickOptions & WriteOptions = {}): Promise<MergeResult> {
    checkOptions("cherryPick", options, PICK);
    return this.open(async () => {
      const { context } = this;
      const change = await changeOf(context, commit, options);
      const [{ withTermCommits }, { cherryPick }] = await Promise.all([merging(), picking()]);
      const run = (draft: Draft) => cherryPick(context, draft, change);
      return withTermCommits(
        await this.aside("cherry-pick", options, run, context.branch, ({ of }) => `Pick ${shortHash(of)}`),
      );
    });
  }

  /** Takes back what one commit changed, as a new commit. */
  async revert(commit: string, options: PickOptions & WriteOptions = {}): Promise<MergeResult> {
    checkOptions("revert", options, PICK);
    return this.open(async () => {
      const { context } = this;
      const change = await changeOf(context, commit, options);
      const [{ withTermCommits }, { revert }] = await Promise.all([merging(), picking()]);
      const run = (draft: Draft) => revert(context, draft, change);
      return withTermCommits(
        await this.aside("revert", options, run, context.branch, ({ of }) => `Revert ${shortHash(of)}`),
      );
    });
  }

  /** What differs between two of commit, branch, tag, snapshot and time; by default up to the present. */
  diff(from: string, to?: string): Promise<Diff> {
    return this.read(to, async (tip) => {
      const { diff } = await import("../history/verbs/diff.js");
      return diff(this.context, this.engine.reader, await tipAt(this.context, from), tip);
    });
  }

  /**
   * Proof that a head (by default the present one) rests on one that was kept; `verifyConsistency` of `palimpsest/proof`
   * checks it. Only for a session from which nothing is hidden.
   */
  async proveConsistency(old: string, to?: string): Promise<ConsistencyProof> {
    const { keptHead, proveConsistency } = await import("../history/verbs/prove-consistency.js");
    const kept = keptHead(this.context, old);
    return this.read(to, (tip) => proveConsistency(this.engine.reader, tip, kept));
  }

  /** Who made us believe each field of a memory. */
  async blame(
    id: string,
    options: { readonly scope?: string; readonly at?: string } = {},
  ): Promise<readonly BlameItem[]> {
    checkOptions("blame", options, PLACED);
    return this.read(options.at, async (tip) => {
      const { blame } = await import("../history/verbs/blame.js");
      return blame(this.context, this.engine.reader, tip, id, options.scope);
    });
  }

  /** Every field on which merges left more than one value, with who says what. */
  async conflicts(options: { readonly at?: string } = {}): Promise<readonly Conflict[]> {
    checkOptions("conflicts", options, THEN);
    return this.read(options.at, async (tip, now) =>
      (await import("../history/verbs/conflicts.js")).conflicts({
        context: this.context,
        reader: this.engine.reader,
        tip,
        now,
      }),
    );
  }

  /** Settles a contested field by taking a term (1 is the first listed) or writing a value. */
  async resolve(
    id: string,
    field: string,
    resolution: Resolution,
    options: WriteOptions & { readonly scope?: string } = {},
  ): Promise<Verdict> {
    checkGiven("resolve", { field }, { field: text });
    const how = plainGiven("resolve", "resolution", resolution, optional(object));
    checkOptions("resolve", options, { ...WRITING, scope: text });
    return this.write("resolve", options, async (draft) =>
      (await import("../history/verbs/resolve.js")).resolve(
        { context: this.context, draft },
        id,
        field,
        how,
        options.scope,
      ),
    );
  }

  /** Marks the present state to come back to. With a label it stays, without one the last 20 are kept. */
  async snapshot(label?: string): Promise<Omit<Snapshot, "index" | "time" | "agent" | "before">> {
    const made = await this.moveRefs("snapshot", () => snapshot(this.context, label));
    this.engine.log(`snapshot created: ${made.label ?? made.snapshot} at ${made.commit.slice(0, 12)}`);
    return made;
  }

  /** The caller's own automatic snapshots and all labelled ones; 0 is the newest. */
  async snapshots(options: Then = {}): Promise<readonly Snapshot[]> {
    checkOptions("snapshots", options, THEN);
    return this.tell(async () => snapshots(this.context, await this.#names(options)));
  }

  /**
   * Goes back to a snapshot (by index, id or label), commit, tag or time, as one new commit, in what the session sees.
   * It changes nothing if that would take back other authors' commits, unless told to.
   */
  async rollback(target: string | number = 0, options: RollbackOptions & Told = {}): Promise<RollbackResult> {
    checkGiven("rollback", { target }, { target: either(text, number) });
    checkOptions("rollback", options, { ...TOLD, allAuthors: flag });
    return this.open(async () => {
      const { engine, context } = this;
      const head = await engine.head(context.branch);
      const { tip, name } = await snapshotAt(context, target).catch((error: unknown) => {
        engine.log(`rollback: ${String(target)} not found`);
        throw error;
      });
      const { planRollback, rollback } = await import("../history/verbs/rollback.js");
      const plan = await planRollback(context, engine.reader, head, tip, options);
      const run = (draft: Draft) => rollback(context, draft, plan);
      // A number means another snapshot tomorrow.
      const said = /^\d+$/.test(name) ? shortHash(tip.hash) : name;
      const done = await this.aside("rollback", options, run, context.branch, () => `Roll back to ${said}`);
      engine.log(done.refused ? `rollback to ${name} refused: ${done.refused}` : `rolled back to ${name}`);
      return done;
    });
  }

  /** The commits of all branches, for a picture. */
  async graph(options: GraphOptions = {}): Promise<readonly GraphCommit[]> {
    checkOptions("graph", options, { ...THEN, limit: count, events: flag });
    return this.tell(async () => {
      const { graph } = await import("../history/verbs/graph.js");
      return graph(this.context, this.engine, options);
    });
  }

  /** Inverts this agent's last operation on the branch, or any by its id, as a new operation. */
  async undo(op?: string, options: Told = {}): Promise<UndoResult> {
    checkGiven("undo", { operation: op }, { operation: optional(text) });
    checkOptions("undo", options, TOLD);
    return this.open(async () => {
      const { context } = this;
      const { findOp, lastOp } = await operations();
      const { reader } = this.engine;
      const { operation, passedOver } =
        op === undefined
          ? await lastOp(context, reader)
          : { operation: await findOp(context, reader, op), passedOver: [] };
      const { movedBranch, undo, undoNames } = await import("../history/verbs/undo.js");
      const branch = movedBranch(operation);
      if (branch === undefined)
        return this.moveRefs("undo", () => undoNames(context, this.engine, operation), { alone: true });
      const run = (draft: Draft) => undo(context, draft, operation.op);
      const done = await this.aside(
        "undo",
        options,
        run,
        branch,
        ({ undone }) => `Undo ${operation.verb} ${shortHash(undone)}`,
      );
      return passedOver.length > 0 ? { ...done, passedOver } : done;
    });
  }

  /** The operation log: what moved which refs, newest first. */
  async ops(options: OpsOptions = {}): Promise<readonly OperationItem[]> {
    checkOptions("ops", options, { ...THEN, limit: count });
    return this.tell(async () => (await operations()).ops(this.context, options));
  }

  /** What names mean, or meant at a commit, branch, tag, snapshot or time. */
  async #names({ at }: Then): Promise<Refs> {
    return at === undefined ? this.engine.storage : refsAt(this.context, at);
  }
}

const operations = () => import("../history/verbs/ops.js");
const merging = () => import("../history/verbs/merge.js");
const picking = () => import("../history/verbs/pick.js");
