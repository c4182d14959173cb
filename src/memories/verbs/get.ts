import { idKey, parseId, scopeKey } from "../../core/base/index.js";
import type { At } from "../../repo/index.js";
import { findKey, headLookup, isExpired, loadEntry } from "../../repo/index.js";
import { type Memory, memoryAt } from "../memory.js";

/**
 * One memory as the session sees it at a commit; undefined when there is none, or none it may see. Found by `findWhole`,
 * what is not there costs a few reads, whatever the store holds.
 */
export async function get(
  at: At,
  id: string,
  scope?: string,
  find: typeof findKey = findKey,
): Promise<Memory | undefined> {
  const { context, reader, tip, now } = at;
  const key = await find(context, headLookup(reader, tip), id, scope);
  // What can be no id is not merely absent.
  if (!key) parseId(id);
  const entry = key && (await loadEntry(reader, tip, scopeKey(key.scope), idKey(key.id)));
  if (!entry || isExpired(entry, now)) return undefined;
  return memoryAt(at, entry, now);
}
