import {
  type BranchName,
  type Hash,
  type JsonObject,
  MAIN,
  PalimpsestError,
  timestamp,
} from "../../core/base/index.js";
import {
  encodeObject,
  GENESIS,
  GENESIS_CHANGESET,
  headRef,
  type Tip,
  type Touch,
} from "../../core/ledger/index.js";
import type { Verdict } from "../../gate/index.js";
import {
  firstHead,
  type RefMove,
  type StoredObject,
  type Transaction,
  type TransactResult,
} from "../../storage/index.js";
import type { Context, Job } from "../context.js";
import type { Engine } from "../engine.js";
import { writing } from "../late.js";
import type { WriteOptions } from "../options.js";
import { snapshotMoves } from "../time/snapshots.js";
import type { CommitInfo } from "./commit-info.js";
import type { Draft } from "./draft.js";
import type { Aside } from "./sealing.js";
import { type Done, FIRST_BRANCH, type Task } from "./writer.js";

/**
 * The one way to change a store. What changes memories becomes a commit (`commit`); what changes only names moves refs
 * (`moveRefs`); what takes bytes away erases (`eraseBytes`). All three make what the history says of a change here, so
 * that nothing is said there which must not be kept.
 */

/** What a commit is made of: what it is called, what is said of it, and what it does to a draft. */
export interface NewCommit<T> {
  readonly verb: string;
  readonly options?: WriteOptions;
  run(job: Job): Promise<T>;
  /** The branch that is changed; by default the one on which the session works. */
  readonly branch?: BranchName;
  /** Nothing else is in its transaction: it takes so long that a short write would wait for it. */
  readonly alone?: boolean;
  /** It is worked out beside the queue, and again inside it only if the head moved meanwhile: nobody waits for it. */
  readonly beside?: boolean;
  /** The message where the caller gives none. */
  readonly message?: (value: T) => string | undefined;
  /** Take this snapshot before the first change that writes anything. */
  readonly snapshot?: SnapshotBefore;
}

/** The snapshot before several commits that belong together: it is taken once, and says before what. */
export class SnapshotBefore {
  readonly of: string;
  isTaken = false;

  constructor(of: string) {
    this.of = of;
  }
}

/** What a change did on a draft that nobody commits. */
export interface Rehearsal<T> {
  readonly draft: Draft;
  readonly value: T;
}

/** Makes a change durable as one commit, and answers what it answered. With `dryRun` it is only rehearsed. */
export async function commit<T>(
  context: Context,
  change: NewCommit<T>,
  rehearsed?: Rehearsal<T>,
): Promise<Done<T>> {
  const { engine } = context;
  engine.assertOpen();
  const code = writing.loaded ?? (await writing.load());
  const { verb, options = {}, beside } = change;
  const task = taskOf(context, change, code.commitInfo(context, verb, options));
  const tried = rehearsed ?? (beside || options.dryRun ? await engine.writer.rehearse(task) : undefined);
  if (options.dryRun && tried) return { value: tried.value, tip: undefined, before: tried.draft.start };
  const message = options.message ?? (tried && change.message?.(tried.value));
  const info =
    message === options.message ? task.info : code.commitInfo(context, verb, { ...options, message });
  const done = await engine.writer.submit(tried ? { ...task, info, rehearsed: tried } : task);
  if (done.tip) {
    if (change.snapshot) change.snapshot.isTaken = true;
    context.made?.({ branch: task.branch, before: done.before, after: done.tip });
  }
  return done;
}

/** Runs a change on the present head: its verdicts are real, and nothing is written. */
export async function rehearse<T>(context: Context, change: NewCommit<T>): Promise<Rehearsal<T>> {
  context.engine.assertOpen();
  const { commitInfo } = await writing.load();
  return context.engine.writer.rehearse(
    taskOf(context, change, commitInfo(context, change.verb, change.options)),
  );
}

function taskOf<T>(context: Context, change: NewCommit<T>, info: CommitInfo): Task<T> {
  const { snapshot, branch = context.branch } = change;
  const run = async (draft: Draft): Promise<T> => {
    if (snapshot && !snapshot.isTaken)
      for (const move of await snapshotMoves({ context, draft }, snapshot.of)) draft.move(move);
    return change.run({ context, draft });
  };
  const task = { branch, info, run: snapshot ? run : (draft: Draft) => change.run({ context, draft }) };
  return change.alone || change.beside ? { ...task, alone: true } : task;
}

/** A change that takes its time, worked out beside the queue. Its answer names the commit, if there is one. */
export async function commitBeside<T extends object>(
  context: Context,
  change: NewCommit<T>,
): Promise<T & { readonly commit?: Hash }> {
  const { value, tip } = await commit(context, { ...change, beside: true });
  return { ...value, ...(tip && { commit: tip.hash }) };
}

/**
 * What a rehearsal did as a commit beside the branch, which nothing leads to yet. `own` is what Palimpsest itself says of
 * it: it was let in before.
 */
export async function asideOf(
  context: Context,
  { draft }: Rehearsal<unknown>,
  verb: string,
  message: string | undefined,
  own: JsonObject,
): Promise<Aside> {
  const { commitInfo } = await writing.load();
  return draft.proposal(commitInfo(context, verb, { message }, own));
}

const isWritten = ({ verdict }: Verdict): boolean => verdict === "accepted" || verdict === "updated";

/** A verdict with the commit it led to, if it changed anything. */
export const withCommit = (verdict: Verdict, tip: Tip | undefined): Verdict =>
  tip && isWritten(verdict) ? { ...verdict, commit: tip.hash } : verdict;

/** The same of one that nobody has seen yet: a copy costs ten times as much. */
const tellCommit = (verdict: Verdict, tip: Tip | undefined): Verdict =>
  tip && isWritten(verdict) ? Object.assign(verdict, { commit: tip.hash }) : verdict;

/** In a trial, what would wait for a person waits nowhere yet. */
const withoutPlace = ({ staged: _, ...judged }: Verdict): Verdict => judged as Verdict;

/** A change whose answer is the gate's verdict. */
export async function commitVerdict(context: Context, change: NewCommit<Verdict>): Promise<Verdict> {
  const { value, tip } = await commit(context, change);
  return change.options?.dryRun ? withoutPlace(value) : tellCommit(value, tip);
}

/** A change whose answer is several verdicts. */
export async function commitVerdicts(context: Context, change: NewCommit<Verdict[]>): Promise<Verdict[]> {
  const { value, tip } = await commit(context, change);
  return value.map((one) => (change.options?.dryRun ? withoutPlace(one) : withCommit(one, tip)));
}

/** Moves to make, judged on the refs as they are, and what to answer when they are made. */
export interface RefPlan<T> {
  readonly moves: readonly RefMove[];
  /** Objects and rows that the refs need. */
  readonly put?: readonly StoredObject[];
  readonly touch?: readonly Touch[];
  readonly value: T;
}

/** Takes out of a text what must not be kept: what a plan answers is what is stored. */
export type Clean = (text: string) => string;

/** Everybody may be moving refs at once; somebody always gets through. */
const ROUNDS = 50;

/**
 * Moves refs without a commit: branches, tags, snapshots, what waits for review. The plan is made again when a ref moved
 * meanwhile, and the whole is one operation of the log. A plan that rests on what is *not* there, as that nobody works on
 * a branch, is made `alone`: no ref it does not name can appear before its moves are made.
 */
export async function moveRefs<T>(
  context: Context,
  verb: string,
  plan: (clean: Clean) => Promise<RefPlan<T>>,
  { alone = false, message }: { readonly alone?: boolean; readonly message?: string | undefined } = {},
): Promise<T> {
  const { engine } = context;
  engine.assertOpen();
  const { storage } = engine;
  const { cleanMoves, cleanText, commitInfo, encodeOperation } = await writing.load();
  const info = commitInfo(context, verb, { message });
  const clean: Clean = (text) => cleanText(text, context.rules.modes.message);
  const attempt = async (
    transact: (transaction: Transaction) => Promise<TransactResult>,
  ): Promise<{ readonly value: T } | undefined> => {
    const { epoch } = await storage.version();
    const first = await firstBranch(engine);
    const { moves: planned, value, put: needed = [], touch = [] } = await plan(clean);
    const moves = cleanMoves(context, info, planned);
    if (moves.length === 0) return { value };
    // A change of the first branch before there is one makes that branch.
    const isFirst = ({ name }: RefMove) => first.moves.some((made) => made.name === name);
    const refs = [
      ...first.moves.filter(({ name }) => !moves.some((move) => move.name === name)),
      ...moves.map((move) => (isFirst(move) ? { ...move, expect: null } : move)),
    ];
    const note = await noteOf(engine, info, moves);
    const operation = encodeOperation(info, refs, timestamp(engine.clock()), note?.hash);
    const put = [...first.put, ...needed, operation, ...(note ? [note] : [])];
    const done = await transact({ put, refs, touch, ops: [operation.hash], epoch });
    return done === "ok" ? { value } : undefined;
  };
  await engine.writer.idle();
  for (let round = 0; round < ROUNDS; round++) {
    const done = await (alone
      ? storage.exclusive(attempt)
      : attempt((transaction) => storage.transact(transaction)));
    if (!done) continue;
    engine.forgetHeads();
    return done.value;
  }
  throw new PalimpsestError("STORE_BUSY", "The refs kept moving under this change.");
}

/** Why refs move, and what was said of those that change or go: a move names targets only, and undo brings back the rest. */
async function noteOf({ storage }: Engine, { message }: CommitInfo, moves: readonly RefMove[]) {
  const before: { [ref: string]: JsonObject } = {};
  for (const { name, expect } of moves) {
    const meta = expect === null ? undefined : (await storage.ref(name))?.meta;
    if (meta) before[name] = meta;
  }
  const isSaid = Object.keys(before).length > 0;
  if (!isSaid && message === undefined) return undefined;
  return encodeObject("note", {
    ...(message !== undefined && { why: message }),
    ...(isSaid && { meta: { before } }),
  });
}

/** A ref needs a commit to point to: in an empty store the constant first one, and `main` with it. */
async function firstBranch(engine: Engine): Promise<{ put: StoredObject[]; moves: RefMove[] }> {
  const name = headRef(MAIN);
  if (await firstHead(engine.storage)) return { put: [], moves: [] };
  const target: Hash = GENESIS.hash;
  return {
    put: [GENESIS_CHANGESET, GENESIS],
    moves: [{ name, expect: null, next: { target, meta: FIRST_BRANCH } }],
  };
}

/**
 * Takes bytes away in one transaction. The plan is made once beside the writers, which tells whether there is anything to
 * do, and again with the write lock held: what was written meanwhile goes too. It answers undefined when nothing goes.
 */
export async function eraseBytes<P extends { readonly transaction: Transaction }>(
  context: Context,
  verb: string,
  plan: (info: CommitInfo) => Promise<P | undefined>,
  dryRun = false,
): Promise<P | undefined> {
  const { engine } = context;
  const { commitInfo } = await writing.load();
  const info = commitInfo(context, verb);
  await engine.writer.idle();
  const planned = await plan(info);
  if (!planned || dryRun) return planned;
  for (;;) {
    const done = await engine.storage.exclusive(async (transact) => {
      const again = await plan(info);
      return again && (await transact(again.transaction)) !== "ok" ? "stale" : again;
    });
    if (done === "stale") continue;
    engine.forgetHeads();
    return done;
  }
}

/** One item of many: an error of its own becomes its verdict. Failures of the store still stop everything. */
export async function asVerdict(draft: Draft, judge: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof PalimpsestError) || !isInputError(error)) throw error;
    const { code, message: reason, hint } = error;
    const check = isUnclear(error) ? "id" : "shape";
    return { verdict: "rejected", code, check, reason, hint, branch: draft.branch };
  }
}

const isInputError = (error: PalimpsestError): boolean =>
  error.code.startsWith("INVALID_") || error.code === "SESSION_REQUIRED" || isUnclear(error);

/** Does an id mean no memory, or several? */
const isUnclear = ({ code }: PalimpsestError): boolean => code === "NOT_FOUND" || code === "AMBIGUOUS";
