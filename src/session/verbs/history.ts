import {
  type Hash,
  idKey,
  type MemoryId,
  PalimpsestError,
  parseId,
  parseScope,
  type Scope,
  scopeKey,
  type Timestamp,
} from "../../base/index.js";
import type { Author, Op, Tip, Touch } from "../../ledger/index.js";
import type { Context } from "../context.js";
import { findKey, headLookup, visibleScopes } from "../find.js";
import type { Reader } from "../reader.js";
import { rowSight } from "../rows.js";

export interface HistoryItem {
  readonly version: number;
  readonly op: Op;
  /** Absent for a forget. */
  readonly hash?: Hash;
  readonly commit: Hash;
  readonly time: Timestamp;
  readonly author: Author;
  /** Absent for a forget. */
  readonly text?: string;
}

/** Every version of one memory that the session may see, oldest first; a forgotten memory has one too. */
export async function history(
  context: Context,
  reader: Reader,
  tip: Tip,
  given: string,
  scope?: string,
): Promise<HistoryItem[]> {
  const rows = await rowsOf(context, reader, tip, given, scope);
  const records = await reader.values(
    "memory",
    rows.flatMap(({ record }) => record ?? []),
  );
  return rows.map((row) => {
    const text = row.record && records.get(row.record)?.text;
    return {
      version: row.version,
      op: row.op,
      ...(row.record && { hash: row.record }),
      commit: row.commit,
      time: row.time,
      author: row.author,
      ...(text !== undefined && { text }),
    };
  });
}

async function rowsOf(
  context: Context,
  reader: Reader,
  tip: Tip,
  given: string,
  scope?: string,
): Promise<Touch[]> {
  const key = await findKey(context, reader, headLookup(reader, tip), given, scope);
  const visible = rowSight(context, reader);
  for (const place of key ? [key] : await forgottenPlaces(context, reader, tip, given, scope)) {
    const rows: Touch[] = [];
    for (const row of await reader.storage.touchOf(scopeKey(place.scope), idKey(place.id)))
      if (row.generation <= tip.commit.generation && (await visible(row))) rows.push(row);
    if (rows.length > 0) return rows;
  }
  throw new PalimpsestError("NOT_FOUND", `There is no memory ${JSON.stringify(given)}, now or before.`);
}

/** Where a memory that is no longer live may have been; only a whole id can tell. */
async function forgottenPlaces(context: Context, reader: Reader, tip: Tip, given: string, scope?: string) {
  const id: MemoryId = parseId(given);
  const scopes: Scope[] =
    scope === undefined ? await visibleScopes(context, reader, tip) : [parseScope(scope)];
  return scopes.filter((name) => context.sight.sees(name)).map((name) => ({ scope: name, id }));
}
