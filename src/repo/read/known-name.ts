import {
  type Hash,
  idKey,
  type MemoryId,
  PalimpsestError,
  quote,
  type Scope,
  scopeKey,
  topicId,
} from "../../core/base/index.js";
import { clears, type Tip, type Touch, topicLink } from "../../core/ledger/index.js";
import type { Context } from "../context.js";
import { byOrder } from "../sight.js";
import type { Key, Lookup } from "./entries.js";
import type { Reader } from "./reader.js";
import { anyRecord, rowSight } from "./rows.js";

/** What became of a name that means nothing here now. `elsewhere`: it is on another branch, or came later or earlier. */
export type Fate = "erased" | "forgotten" | "elsewhere";

export interface Asked {
  readonly context: Context;
  readonly reader: Reader;
  /** The commit whose state is asked. */
  readonly tip: Tip;
  readonly idOrTopic: string;
  /** What is given, if it can be an id. */
  readonly id: MemoryId | undefined;
  /** Those that are looked in: one that is named, else all that the session sees and that are there now. */
  readonly scopes: readonly Scope[];
  /** Was the one scope named? */
  readonly isNamed: boolean;
}

/**
 * What became of the memory that once had this whole id: touch rows know every branch and what was erased. Undefined
 * when the session may know of none.
 */
export async function fateOfId(asked: Asked): Promise<Fate | undefined> {
  return asked.id === undefined ? undefined : fateAmong(asked, asked.id);
}

/** Has a memory of this whole id gone from one of the scopes, whatever is known of others? */
export async function hasGone(asked: Asked): Promise<boolean> {
  const fates = asked.id === undefined ? [] : await fatesOf(asked, asked.id);
  return fates.some((fate) => fate !== "elsewhere");
}

/** The same of a whole id or a whole topic. */
export async function fateOf(asked: Asked): Promise<Fate | undefined> {
  const { idOrTopic } = asked;
  if (!idOrTopic.isWellFormed()) return undefined;
  return (await fateOfId(asked)) ?? (await fateAmong(asked, topicId(idOrTopic))) ?? fateOfTopic(asked);
}

/** Was this ever, on whatever branch, in whatever scope the session sees, the whole name of a memory? */
export const isKnown = async (asked: Asked): Promise<boolean> =>
  (await fateOf(asked)) !== undefined || (await isInLostScope(asked));

async function fateAmong(asked: Asked, id: MemoryId): Promise<Fate | undefined> {
  const found = await fatesOf(asked, id);
  return (["elsewhere", "forgotten", "erased"] as const).find((fate) => found.includes(fate));
}

async function fatesOf(asked: Asked, id: MemoryId): Promise<Fate[]> {
  const found: Fate[] = [];
  for (const scope of asked.scopes) {
    const rows = await asked.reader.storage.touchOf(scopeKey(scope), idKey(id));
    const fate = await fateOfRows(asked, rows);
    if (fate) found.push(fate);
  }
  return found;
}

/** A topic may have been held by memories of any id. */
async function fateOfTopic(asked: Asked): Promise<Fate | undefined> {
  const { storage } = asked.reader;
  for (const scope of asked.scopes) {
    const link = topicLink(scope, asked.idOrTopic);
    for (const { scope: at, id } of (await storage.touchLinked(link)).toReversed()) {
      const fate = await fateOfRows(asked, await storage.touchOf(at, id));
      if (fate) return fate;
    }
  }
  return undefined;
}

async function fateOfRows(
  { context, reader, tip }: Asked,
  rows: readonly Touch[],
): Promise<Fate | undefined> {
  const seen = rows.filter(({ sensitivity }) => clears(context.sight.clearance, sensitivity));
  if (seen.length === 0) return undefined;
  // What became of it here counts for more than what others did to it on their branches since.
  const last = seen.at(-1)?.op === "forget" ? seen.at(-1) : await lastHeld(reader, tip, seen);
  if (last?.op !== "forget") return "elsewhere";
  return (await reader.erased()).hasKey(last) ? "erased" : "forgotten";
}

/** The last of these events that a commit rests on. */
export async function lastHeld(reader: Reader, tip: Tip, rows: readonly Touch[]): Promise<Touch | undefined> {
  for (const row of rows.toReversed())
    if (await reader.lineage.holds(tip, row.commit, row.generation)) return row;
  return undefined;
}

/** A session that sees by patterns sees scopes too in which nothing is left: only the rows still name those. */
async function isInLostScope({ context, reader, idOrTopic, id, isNamed }: Asked): Promise<boolean> {
  const { sight } = context;
  if (!sight.open || isNamed) return false;
  const ids = new Set<Hash>([topicId(idOrTopic), ...(id === undefined ? [] : [id])].map(idKey));
  const visible = rowSight(context);
  // Of what was erased no record tells the scope any more; a session that sees all of them need not know it.
  const all = sight.sees("every/scope" as Scope);
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.touchBefore(before, 10_000);
    for (const row of page.touch)
      if (ids.has(row.id) && (all ? clears(sight.clearance, row.sensitivity) : await visible(row)))
        return true;
    before = page.seq;
  }
  return false;
}

export function assertNotErased(idOrTopic: string, fate: Fate | undefined): void {
  if (fate === "erased") throw gone(idOrTopic, fate);
}

const WHY: { readonly [F in Fate]: readonly [what: string, next: string] } = {
  erased: ["was erased", "What was erased does not come back. Another text under this id is welcome."],
  forgotten: [
    "was forgotten",
    "If it was to go, nothing needs to be done; its history still tells what it said.",
  ],
  elsewhere: [
    "is not here now",
    "It is on another branch, or has another topic now: its history and the branches tell.",
  ],
};

/** A caller that writes to a name whose memory has gone hears so (`fate`): it may be what they had done already. */
export const gone = (idOrTopic: string, fate: Fate): PalimpsestError =>
  new PalimpsestError("NOT_FOUND", `${quote(idOrTopic)} ${WHY[fate][0]}.`, {
    hint: WHY[fate][1],
    data: { fate },
  });

/** Another memory of the same name, which has gone from a scope that is looked in first. */
export interface GoneBefore {
  readonly scope: Scope;
  readonly fate: "forgotten" | "erased";
}

export interface NameFound {
  readonly context: Context;
  readonly reader: Reader;
  readonly state: Lookup;
  readonly idOrTopic: string;
  /** Those in which the name was looked for first, in order. */
  readonly scopes: readonly Scope[];
  readonly found: Key;
}

/** The first of the scopes whose past on this line knows the name, unless that very memory moved to where it was found. */
export async function firstGone(asked: NameFound): Promise<GoneBefore | undefined> {
  for (const scope of asked.scopes)
    for (const id of await idsOf(asked, scope)) {
      const fate = await fateIn(asked, scope, id);
      if (fate) return { scope, fate };
    }
  const { context, found } = asked;
  return context.sight.open && !context.sight.named.includes(found.scope) ? goneFromLost(asked) : undefined;
}

/** So many of the newest events are asked for what went from scopes in which nothing is left: a second try comes soon. */
const NEWEST = 10_000;
const newest = new WeakMap<Tip, Promise<readonly Touch[]>>();

/** A session that sees by patterns sees scopes too in which nothing is left: only rows name those. */
async function goneFromLost(asked: NameFound): Promise<GoneBefore | undefined> {
  const { context, reader, state, scopes, found } = asked;
  const known = new Set([...scopes, found.scope].map(scopeKey));
  const rows =
    newest.get(state.tip) ??
    reader.storage.touchBefore(Number.MAX_SAFE_INTEGER, NEWEST).then(({ touch }) => touch);
  newest.set(state.tip, rows);
  const id = idKey(found.id);
  const visible = rowSight(context);
  for (const row of await rows) {
    if (row.id !== id || row.op !== "forget" || known.has(row.scope) || !(await visible(row))) continue;
    const scope = (await anyRecord(reader, row))?.scope;
    if (scope === undefined || byOrder(scope, found.scope) > 0) continue;
    const fate = await fateIn(asked, scope, id);
    if (fate) return { scope, fate };
  }
  return undefined;
}

/** Which ids the name may have been the name of in a scope, as the keys of rows. */
async function idsOf({ reader, idOrTopic, found }: NameFound, scope: Scope): Promise<ReadonlySet<Hash>> {
  const ids = new Set<Hash>([idKey(found.id)]);
  // Found by its id, or a part of it; else by its topic, which memories of any id may have held.
  if (found.id === idOrTopic || !idOrTopic.isWellFormed()) return ids;
  ids.add(idKey(topicId(idOrTopic)));
  for (const { id } of await reader.storage.touchLinked(topicLink(scope, idOrTopic))) ids.add(id);
  return ids;
}

async function fateIn(asked: NameFound, scope: Scope, id: Hash): Promise<GoneBefore["fate"] | undefined> {
  const { context, reader, state, found } = asked;
  const rows = await reader.storage.touchOf(scopeKey(scope), id);
  const seen = rows.filter(({ sensitivity }) => clears(context.sight.clearance, sensitivity));
  const last = await lastHeld(reader, state.tip, seen);
  // What is not stored yet has no row.
  if (!last)
    return rows.length === 0 && id === idKey(found.id) && (await state.was?.(scope, found.id))
      ? "forgotten"
      : undefined;
  if (last.record !== undefined && (await isLive(asked, scope, last.record))) return undefined;
  const isMoved =
    last.record === undefined
      ? await movedOn(asked, id, last)
      : (await state.record(found.scope, found.id))?.origin.movedFrom === scope;
  if (isMoved) return undefined;
  return (await reader.erased()).hasKey(last) ? "erased" : "forgotten";
}

/** Is the memory still there? Then it has another topic by now, or what it says is out of sight. */
async function isLive({ reader, state }: NameFound, scope: Scope, hash: Hash): Promise<boolean> {
  const record = (await reader.values("memory", [hash])).get(hash);
  return record !== undefined && (await state.record(scope, record.id)) !== undefined;
}

/** Did it leave by moves to where it was found? Each is one commit in which it goes from one scope and comes to another. */
async function movedOn(asked: NameFound, id: Hash, left: Touch): Promise<boolean> {
  const { context, reader, found } = asked;
  if (id !== idKey(found.id)) return false;
  const home = scopeKey(found.scope);
  const met = new Set<Hash>();
  const waiting = [left];
  for (let at = waiting.pop(); at; at = waiting.pop())
    for (const scope of new Set([...context.sight.named.map(scopeKey), home])) {
      const rows = await reader.storage.touchOf(scope, id);
      const { commit } = at;
      const came = rows.findLastIndex((row) => row.commit === commit && row.record !== undefined);
      if (came < 0 || met.has(scope)) continue;
      met.add(scope);
      const next = await lastHeld(reader, asked.state.tip, rows);
      if (scope === home) return next?.record !== undefined;
      if (next && next.record === undefined) waiting.push(next);
    }
  return false;
}
