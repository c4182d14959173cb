import { type MemoryId, PalimpsestError, quote, type Scope, scopeKey } from "../../core/base/index.js";
import { byCodeUnit, type MemoryRecord, stateDiff, type Tip } from "../../core/ledger/index.js";
import type { AtTip } from "../../repo/index.js";
import { findKey, headLookup, tipAt } from "../../repo/index.js";
import type { ChangesOptions } from "../options.js";

export interface TreeChanges {
  readonly added: readonly MemoryId[];
  readonly modified: readonly MemoryId[];
  readonly removed: readonly MemoryId[];
}

/**
 * What changed in a tree between two states. Only memories that differ are looked at, and of each the way up to the
 * root: the size of the tree does not matter.
 */
export async function changesBelow(
  { context, reader, tip }: AtTip,
  id: string,
  options: ChangesOptions,
): Promise<TreeChanges> {
  const from = await tipAt(context, options.from);
  const to = options.to === undefined ? tip : await tipAt(context, options.to);
  const key =
    (await findKey(context, headLookup(reader, to), id, options.scope)) ??
    (await findKey(context, headLookup(reader, from), id, options.scope));
  if (!key) throw new PalimpsestError("NOT_FOUND", `There is no memory ${quote(id)}.`);
  const { changes } = await reader.read([from, to], (source) =>
    stateDiff(from.commit.root, to.commit.root, source),
  );
  const found = { added: [] as MemoryId[], modified: [] as MemoryId[], removed: [] as MemoryId[] };
  const isBelow = { from: climber(from), to: climber(to) };
  for (const { scope, before, after } of changes) {
    if (scope !== scopeKey(key.scope)) continue;
    const was = await visible(before && (await reader.record(before)), isBelow.from);
    const is = await visible(after && (await reader.record(after)), isBelow.to);
    if (was && is) found.modified.push(is.id);
    else if (is) found.added.push(is.id);
    else if (was) found.removed.push(was.id);
  }
  for (const list of Object.values(found)) list.sort(byCodeUnit);
  return found;

  async function visible(
    record: MemoryRecord | undefined,
    below: (record: MemoryRecord) => Promise<boolean>,
  ): Promise<MemoryRecord | undefined> {
    return record && context.sight.seesRecord(record) && (await below(record)) ? record : undefined;
  }

  /** Is a record of this state the root, or below it? Answers are kept: siblings share their way. */
  function climber(state: Tip): (record: MemoryRecord) => Promise<boolean> {
    const { scope, id: root } = key as { scope: Scope; id: MemoryId };
    const known = new Map<MemoryId, boolean>([[root, true]]);
    const lookup = headLookup(reader, state);
    return async (record) => {
      const trail: MemoryId[] = [];
      let at: MemoryRecord | undefined = record;
      while (at && !known.has(at.id)) {
        known.set(at.id, false);
        trail.push(at.id);
        at = at.parent === undefined ? undefined : await lookup.record(scope, at.parent);
      }
      const answer = at !== undefined && known.get(at.id) === true;
      for (const passed of trail) known.set(passed, answer);
      return answer;
    };
  }
}
