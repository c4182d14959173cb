import type { Hash } from "../core/base/index.js";
import type { StateChange } from "../core/ledger/index.js";
import type { Context } from "../repo/index.js";
import { rowSight } from "../repo/index.js";

/** How many memories were left out because they were erased; absent when there are none. */
export interface LeftOut {
  readonly erased?: number;
}

/** Counts the changes of which a version in question was erased, as far as the session may know of it. */
export async function erasedAmong(
  context: Context,
  changes: readonly StateChange[],
  inQuestion: (change: StateChange) => readonly (Hash | undefined)[] = ({ after }) => [after],
): Promise<LeftOut> {
  const { reader } = context.engine;
  const gone = await reader.erased();
  if (gone.isEmpty) return {};
  const visible = rowSight(context);
  let erased = 0;
  for (const change of changes) {
    const hashes = inQuestion(change).filter((hash) => hash !== undefined && gone.has(hash));
    if (hashes.length === 0) continue;
    const rows = await reader.storage.touchOf(change.scope, change.id);
    const row = rows.find(({ record }) => hashes.includes(record));
    if (row && (await visible(row))) erased++;
  }
  return erased > 0 ? { erased } : {};
}
