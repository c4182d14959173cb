import { idKey, scopeKey } from "../../base/index.js";
import type { Tip } from "../../ledger/index.js";
import type { Context } from "../context.js";
import { isExpired, loadEntry } from "../entries.js";
import { findKey, findWhole, headLookup } from "../find.js";
import { type Memory, memoryAt } from "../memory.js";
import type { Reader } from "../reader.js";

/** One memory as the session sees it at a commit; undefined when there is none, or none it may see. */
export const get = (
  context: Context,
  reader: Reader,
  tip: Tip,
  now: string,
  id: string,
  scope?: string,
): Promise<Memory | undefined> => found(findKey, context, reader, tip, now, id, scope);

/** As `get`, by the whole id only: what is not there costs a few reads, whatever the store holds. */
export const getWhole = (
  context: Context,
  reader: Reader,
  tip: Tip,
  now: string,
  id: string,
  scope?: string,
): Promise<Memory | undefined> => found(findWhole, context, reader, tip, now, id, scope);

async function found(
  find: typeof findKey,
  context: Context,
  reader: Reader,
  tip: Tip,
  now: string,
  id: string,
  scope: string | undefined,
): Promise<Memory | undefined> {
  const key = await find(context, reader, headLookup(reader, tip), id, scope);
  const entry = key && (await loadEntry(reader, tip, scopeKey(key.scope), idKey(key.id)));
  if (!entry || isExpired(entry, now)) return undefined;
  return memoryAt(context, reader, tip, entry, now);
}
