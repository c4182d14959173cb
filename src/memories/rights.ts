import {
  type Hash,
  idKey,
  type MemoryId,
  PalimpsestError,
  type Scope,
  scopeKey,
} from "../core/base/index.js";
import {
  clears,
  HEADS,
  type MemoryRecord,
  TAGS,
  type Tip,
  type Touch,
  type Trust,
  trustRank,
} from "../core/ledger/index.js";
import { quarantine, type Refusal } from "../gate/index.js";
import { type AtTip, anyRecord, type Context, type Reader, rowAt, rowSight } from "../repo/index.js";
import { trustOf } from "./provenance.js";

/** What becomes of one memory: without a record it goes. */
export interface Step {
  readonly before?: MemoryRecord | undefined;
  readonly record?: MemoryRecord | undefined;
}

/**
 * A session that brings over what others wrote needs the sight and the scopes that writing or forgetting each of it would need.
 * Trust was asked for when it was written there, and of two values the one of higher trust is shown. That something is out
 * of sight is all that the answer says: not what, where, how much or by whom.
 */
export function assertMayBring(context: Context, steps: readonly Step[], what: string): void {
  const { sight } = context;
  if (steps.some(({ before, record }) => [before, record].some((one) => one && !sight.seesRecord(one))))
    throw new PalimpsestError("REFUSED", `${what} holds changes that this session may not make.`, {
      hint: "Nothing was changed. Use a session that sees all of it (--scopes, --clearance), or pick the commits that you see.",
    });
  for (const { before, record } of steps) assertWritable(context, before, record);
}

/** The scopes that may be written are a wall for every change, also for one that was written elsewhere before. */
export function assertWritable({ rules }: Context, ...versions: readonly (MemoryRecord | undefined)[]): void {
  const { scopes, off } = rules;
  const closed = versions.find((one) => one && scopes && !off.has("scope") && !scopes.includes(one.scope));
  if (closed)
    throw new PalimpsestError(
      "REFUSED",
      `The configuration lets nothing be written to the scope ${closed.scope}.`,
      { hint: `Nothing was changed. Scopes that may be written: ${scopes?.join(", ")}.` },
    );
}

/**
 * A name that alone leads to changes which the session does not see, or which somebody made that it is weaker than, is not
 * its to take away: with the name they would go for the agents that work on them.
 */
export async function assertMayLose(
  context: Context,
  name: string,
  target: Hash,
  what: string,
): Promise<void> {
  const { reader } = context.engine;
  const others: Tip[] = [];
  for (const prefix of [HEADS, TAGS])
    for (const [other, ref] of await reader.storage.refs(prefix))
      if (other !== name) others.push(await reader.tip(ref.target));
  const sees = losableSight(context);
  const met = new Set<Hash>();
  const waiting = [target];
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    if (met.has(hash)) continue;
    met.add(hash);
    const commit = await reader.value("commit", hash);
    if (await isHeld(reader, others, hash, commit.generation)) continue;
    const { events } = await reader.value("changeset", commit.changeset);
    for (const { scope, id } of events)
      for (const row of await reader.storage.touchOf(scope, id))
        if (row.commit === hash && !(await sees(row)))
          throw new PalimpsestError("REFUSED", `${what} holds changes that this session does not see.`, {
            hint: "Nothing was changed. Use a session that sees all of it (--scopes, --clearance), or merge it first.",
          });
    if (events.length > 0 && isWeaker(context, trustOf(commit.author)))
      throw new PalimpsestError(
        "REFUSED",
        `${what} holds work of somebody with the trust of "${trustOf(commit.author)}"; this session has that of "${context.trust}".`,
        { hint: "Nothing was changed. Merge it first, or leave it to somebody of that trust." },
      );
    waiting.push(...commit.parents);
  }
}

async function isHeld(
  reader: Reader,
  others: readonly Tip[],
  hash: Hash,
  generation: number,
): Promise<boolean> {
  for (const other of others) if (await reader.lineage.holds(other, hash, generation)) return true;
  return false;
}

/** As what a session sees of rows; where nothing is left that would tell the scope, nothing is left to lose. */
function losableSight(context: Context): (row: Touch) => Promise<boolean> {
  const { reader } = context.engine;
  const visible = rowSight(context);
  return async (row) => {
    if (await visible(row)) return true;
    const { open, clearance } = context.sight;
    return open && clears(clearance, row.sensitivity) && (await anyRecord(reader, row)) === undefined;
  };
}

/** Why a session may not take back or away what is there: somebody it is weaker than wrote it. */
export function weakerThanWriter(context: Context, { id, origin }: MemoryRecord): Refusal | undefined {
  return isWeaker(context, origin.trust) ? weaker(context, id, "written", origin.trust) : undefined;
}

/** Why a session may not bring back what is not there: somebody it is weaker than took it away. */
export async function weakerThanForgetter(
  { context, reader, tip }: AtTip,
  scope: Scope,
  id: MemoryId,
): Promise<Refusal | undefined> {
  const trust = await forgotWith(reader, tip, scopeKey(scope), idKey(id));
  return trust && isWeaker(context, trust) ? weaker(context, id, "forgotten", trust) : undefined;
}

async function forgotWith(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Trust | undefined> {
  const row = await rowAt(reader, tip, scope, id, undefined);
  return row && trustOf(row.author);
}

const isWeaker = ({ trust, rules }: Context, than: Trust): boolean =>
  !rules.off.has("trust") && trustRank(trust) < trustRank(than);

const weaker = ({ trust }: Context, id: MemoryId, deed: string, than: Trust): Refusal => ({
  ...quarantine(
    "WEAKER_WRITER",
    "trust",
    `The memory ${JSON.stringify(id)} was ${deed} with the trust of "${than}", this session has that of "${trust}".`,
    "It waits for somebody of that trust to decide: see `review`.",
  ),
  against: id,
});
