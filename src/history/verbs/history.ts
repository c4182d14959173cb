import {
  type Hash,
  idKey,
  isShortIdOf,
  mayBeShortId,
  PalimpsestError,
  parseId,
  parseScope,
  quote,
  resolveId,
  type Scope,
  scopeKey,
  type Timestamp,
  topicId,
} from "../../core/base/index.js";
import { type Author, type MemoryRecord, type Op, type Touch, topicLink } from "../../core/ledger/index.js";
import type { At, AtTip } from "../../repo/index.js";
import {
  anyRecord,
  findHolder,
  findKey,
  findNamed,
  findWhole,
  headLookup,
  isKnownName,
  type Key,
  pastOf,
  rowSight,
  unreadHistory,
  visibleScopes,
  wholeId,
} from "../../repo/index.js";
import { visibleCommits } from "./log.js";

export interface HistoryItem {
  readonly version: number;
  readonly op: Op;
  /** Absent for a forget. */
  readonly hash?: Hash;
  readonly commit: Hash;
  readonly time: Timestamp;
  readonly author: Author;
  /** Absent for a forget, and when it was erased. */
  readonly text?: string;
  readonly erased?: true;
  /** It came from this scope, where it was forgotten. */
  readonly movedFrom?: Scope;
}

/** Every version of one memory that the session may see, oldest first; a forgotten memory has one too. */
export async function history(
  at: At,
  idOrTopic: string,
  scope?: string,
  isWhole?: boolean,
): Promise<HistoryItem[]> {
  const { reader } = at;
  const { rows } = await placed(at, idOrTopic, scope, isWhole);
  const records = await reader.values(
    "memory",
    rows.flatMap(({ record }) => record ?? []),
  );
  const items: HistoryItem[] = [];
  let from: Scope | undefined;
  for (const row of rows) {
    const record = row.record && records.get(row.record);
    const text = record?.text;
    const movedFrom = record?.origin.movedFrom;
    const isMoved = movedFrom !== from && movedFrom !== undefined;
    from = movedFrom;
    const isErased = row.record && text === undefined && (await reader.missed(row.record)) === "erased";
    items.push({
      version: row.version,
      op: row.op,
      ...(row.record && { hash: row.record }),
      commit: row.commit,
      time: row.time,
      author: row.author,
      ...(text !== undefined && { text }),
      ...(isErased && { erased: true as const }),
      ...(isMoved && { movedFrom }),
    });
  }
  return items;
}

/** Where a memory is, or was before it was forgotten. */
export async function placeOfAny(at: At, idOrTopic: string, scope?: string): Promise<Key> {
  return (await placed(at, idOrTopic, scope)).place;
}

/** The same of a memory that is named as for a write: whole, or by the short form of an id that we made. */
export async function placeOfNamed(at: At, idOrTopic: string, scope?: string): Promise<Key> {
  return (await placed(at, idOrTopic, scope, true)).place;
}

async function placed(
  at: At,
  idOrTopic: string,
  scope?: string,
  isWhole = false,
): Promise<{ readonly place: Key; readonly rows: Touch[] }> {
  const { context, reader, tip } = at;
  if (typeof idOrTopic !== "string") parseId(idOrTopic);
  const state = headLookup(reader, tip);
  const live =
    (await findWhole(context, state, idOrTopic, scope)) ??
    (await findHolder(context, state, idOrTopic, scope));
  const visible = rowSight(context);
  const seen = async (place: Key) => {
    const rows: Touch[] = [];
    for (const { row } of (await pastOf(reader, tip, scopeKey(place.scope), idKey(place.id))).versions)
      if (await visible(row)) rows.push(row);
    return { place, rows: rows.reverse() };
  };
  const places = live ? [live] : await forgottenPlaces(at, idOrTopic, scope);
  for (const place of places) {
    const found = await seen(place);
    if (found.rows.length > 0) return found;
    // It is there, and something made it: then the rows that tell of it are damaged.
    if (live) throw unreadHistory(place.id);
  }
  // A whole name, though forgotten, wins over a part of another.
  parseId(idOrTopic);
  const find = isWhole ? findNamed : findKey;
  const named =
    (await find(context, state, idOrTopic, scope)) ?? (await forgottenByPart(at, idOrTopic, scope, isWhole));
  if (named) return seen(named);
  throw new PalimpsestError("NOT_FOUND", `There is no memory ${quote(idOrTopic)}, now or before.`);
}

/** Where a memory of this whole id, or topic, may have been before it was forgotten. */
async function forgottenPlaces(at: At, idOrTopic: string, scope?: string): Promise<Key[]> {
  const { context, reader } = at;
  const scopes: Scope[] = scope === undefined ? await visibleScopes(at) : [parseScope(scope)];
  const seen = scopes.filter((name) => context.sight.sees(name));
  const id = wholeId(idOrTopic);
  const places = id === undefined ? [] : seen.map((name) => ({ scope: name, id }));
  for (const name of idOrTopic.isWellFormed() ? seen : []) {
    const ids = new Set([topicId(idOrTopic)]);
    for (const row of await reader.storage.touchLinked(topicLink(name, idOrTopic))) {
      const record = await anyRecord(reader, row);
      if (record) ids.add(record.id);
    }
    for (const held of ids) places.push({ scope: name, id: held });
  }
  return places;
}

/** A forgotten memory by the first or last characters of its id: people saw it in short. */
async function forgottenByPart(
  { context, reader, tip }: AtTip,
  idOrTopic: string,
  scope: string | undefined,
  isWhole: boolean,
) {
  if (idOrTopic.length < 6 || (isWhole && !mayBeShortId(idOrTopic))) return undefined;
  const found = new Map<string, MemoryRecord>();
  for await (const [, rows] of visibleCommits(context, [tip]))
    for (const row of rows) {
      const record = row.op === "forget" ? await anyRecord(reader, row) : undefined;
      if (record && (scope === undefined || record.scope === scope)) found.set(record.id, record);
    }
  if (isWhole) for (const id of found.keys()) if (!isShortIdOf(idOrTopic, id)) found.delete(id);
  const isPart =
    found.size > 0 && [...found.keys()].some((id) => id.startsWith(idOrTopic) || id.endsWith(idOrTopic));
  if (!isPart || (await isKnownName(context, headLookup(reader, tip), idOrTopic, scope))) return undefined;
  const id = resolveId(idOrTopic, found.keys());
  return id === undefined ? undefined : found.get(id);
}
