import { type Hash, idKey, type MemoryId, type Scope, scopeKey, shortHash } from "../../core/base/index.js";
import { type Author, type MemoryRecord, stateDiff, type Tip } from "../../core/ledger/index.js";
import type { Refusal } from "../../gate/index.js";
import {
  assertWritable,
  erasedAmong,
  type LeftOut,
  outOfCircle,
  readIfWhole,
  restore,
  weakerThanForgetter,
  weakerThanWriter,
} from "../../memories/index.js";
import type { AtTip, CommitNote, Context, Job, Reader } from "../../repo/index.js";
import { commitBeside } from "../../repo/index.js";
import type { RollbackOptions } from "../options.js";
import { ReturnedTopics } from "../returned-topics.js";
import type { MergeResult } from "./merge.js";
import { snapshotAt } from "./snapshots.js";

export interface RollbackResult extends Omit<MergeResult, "conflicts" | "held"> {
  /** What it went back to. */
  readonly to: Hash;
  /** Whose commits it took back, or would have. */
  readonly authors: readonly AuthorCommits[];
  /** Present when nothing was changed: whose work or standing forbids it. */
  readonly refused?: "other-authors" | "stronger-writer";
  readonly reason?: string;
  readonly hint?: string;
}

export interface AuthorCommits {
  readonly author: Author;
  readonly commits: readonly Hash[];
}

/** One memory that has to change: what it is at the head that was looked at, and what it shall be. */
interface Step {
  readonly scope: Scope;
  readonly id: MemoryId;
  readonly from: Hash | undefined;
  readonly to: MemoryRecord | undefined;
}

/** What going back means, fixed at the call: memories that others change meanwhile are left alone. */
interface RollbackPlan {
  readonly to: Tip;
  readonly steps: readonly Step[];
  readonly authors: readonly AuthorCommits[];
  readonly leftOut: LeftOut;
  readonly refused?: Pick<RollbackResult, "refused" | "reason" | "hint">;
}

/** Goes back to a snapshot, commit, tag or time, as one new commit, in what the session sees. */
export async function rollback(
  context: Context,
  target: string | number,
  options: RollbackOptions & CommitNote,
): Promise<RollbackResult> {
  const { engine } = context;
  const head = { context, reader: engine.reader, tip: await engine.head(context.branch) };
  const { tip, name } = await snapshotAt(context, target).catch((error: unknown) => {
    engine.log(`rollback: ${String(target)} not found`);
    throw error;
  });
  const plan = await planRollback(head, tip, options);
  // A number means another snapshot tomorrow.
  const where = /^\d+$/.test(name) ? shortHash(tip.hash) : name;
  const done = await commitBeside(context, {
    verb: "rollback",
    options,
    run: (job) => carryOut(job, plan),
    message: () => `Roll back to ${where}`,
  });
  engine.log(done.refused ? `rollback to ${name} refused: ${done.refused}` : `rolled back to ${name}`);
  return done;
}

/** Only where both the present and the restored version are visible to the session. */
async function planRollback(at: AtTip, to: Tip, options: RollbackOptions): Promise<RollbackPlan> {
  const { context, reader, tip: head } = at;
  const { changes } = await reader.read([head, to], (source) =>
    stateDiff(head.commit.root, to.commit.root, source),
  );
  const steps: Step[] = [];
  let stronger: Refusal | undefined;
  for (const { before, after } of changes) {
    const [now, then] = [await readIfWhole(reader, before), await readIfWhole(reader, after)];
    const versions = [now, then].filter((record) => record !== undefined);
    if (versions.length === 0 || (after && !then)) continue;
    if (!versions.every((record) => context.sight.seesRecord(record))) continue;
    const { scope, id } = versions[0] as MemoryRecord;
    assertWritable(context, ...versions);
    steps.push({ scope, id, from: before, to: then });
    stronger ??= now ? weakerThanWriter(context, now) : await weakerThanForgetter(at, scope, id);
  }
  const authors = await authorsOf(reader, head, to, steps);
  const others = authors.filter(({ author }) => author.id !== context.author.id);
  const refused = stronger
    ? strongerWriter(stronger)
    : others.length > 0 && !options.allAuthors
      ? otherAuthors(others)
      : undefined;
  const leftOut = await erasedAmong(context, changes);
  return { to, steps, authors, leftOut, ...(refused && { refused }) };
}

async function carryOut(job: Job, plan: RollbackPlan): Promise<Omit<RollbackResult, "commit">> {
  const { context, draft } = job;
  const done = { added: 0, modified: 0, removed: 0 };
  const answer = { to: plan.to.hash, authors: plan.authors, ...plan.leftOut };
  if (plan.refused) return { ...done, ...answer, ...plan.refused };
  const topics = new ReturnedTopics(context, draft, plan.to);
  for (const { scope, id, from, to } of plan.steps) {
    const now = await draft.entry(scope, id);
    if (now?.hash !== from) continue;
    if (to && !now) await topics.note(to);
    if (to) await restore(job, await outOfCircle(draft, to), now ? "modify" : "add");
    else if (now) draft.forget(now);
    done[!to ? "removed" : now ? "modified" : "added"]++;
  }
  await topics.settle();
  draft.addMeta({ rolledBackTo: plan.to.hash });
  return { ...done, ...answer };
}

/** Whose commits since then touched what would change. */
async function authorsOf(
  reader: Reader,
  head: Tip,
  to: Tip,
  steps: readonly Step[],
): Promise<AuthorCommits[]> {
  const found = new Map<string, { author: Author; commits: Set<Hash> }>();
  const since = await commitsSince(reader, head, to);
  for (const { scope, id } of steps)
    for (const row of await reader.storage.touchOf(scopeKey(scope), idKey(id))) {
      const key = `${row.author.kind} ${row.author.id}`;
      if (found.get(key)?.commits.has(row.commit) || !since.has(row.commit)) continue;
      const known = found.get(key);
      if (known) known.commits.add(row.commit);
      else found.set(key, { author: row.author, commits: new Set([row.commit]) });
    }
  return [...found.values()].map(({ author, commits }) => ({ author, commits: [...commits] }));
}

/** What the head rests on and the other does not: few, however long their common past is. */
async function commitsSince(reader: Reader, head: Tip, to: Tip): Promise<ReadonlySet<Hash>> {
  const between = await reader.lineage.between(head, to, Number.POSITIVE_INFINITY);
  return new Set(between?.map(({ hash }) => hash));
}

const strongerWriter = ({ reason }: Refusal) => ({
  refused: "stronger-writer" as const,
  reason: `${reason} Nothing was changed.`,
  hint: "Have somebody of that trust roll back.",
});

const otherAuthors = (others: readonly AuthorCommits[]) => ({
  refused: "other-authors" as const,
  reason: `This would take back commits of ${others.map(({ author, commits }) => `${author.id} (${commits.length})`).join(", ")}; nothing was changed.`,
  hint: "Say --all-authors (allAuthors: true) to take them back as well.",
});
