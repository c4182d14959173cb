import { type Hash, idKey, type Scope, scopeKey, topicId } from "../../core/base/index.js";
import { clears, type Tip, type Touch, topicLink } from "../../core/ledger/index.js";
import type { Context } from "../context.js";
import { byOrder } from "../sight.js";
import { lastHeld } from "./known-name.js";
import type { Key, Lookup } from "./lookup.js";
import type { Reader } from "./reader.js";
import { anyRecord, rowSight } from "./rows.js";

/** Another memory of the same name, which has gone from a scope that is looked in first. */
export interface GoneBefore {
  readonly scope: Scope;
  readonly fate: "forgotten" | "erased";
}

export interface NameFound {
  readonly context: Context;
  readonly reader: Reader;
  readonly state: Lookup;
  readonly given: string;
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

/** Whoever sees by patterns sees scopes too in which nothing is left: only rows tell of those. */
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
async function idsOf({ reader, given, found }: NameFound, scope: Scope): Promise<ReadonlySet<Hash>> {
  const ids = new Set<Hash>([idKey(found.id)]);
  // Found by its id, or a part of it; else by its topic, which memories of any id may have held.
  if (found.id === given || !given.isWellFormed()) return ids;
  ids.add(idKey(topicId(given)));
  for (const { id } of await reader.storage.touchLinked(topicLink(scope, given))) ids.add(id);
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
