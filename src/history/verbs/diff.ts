import {
  type Hash,
  type MemoryId,
  PalimpsestError,
  quote,
  type Scope,
  scopeKey,
} from "../../core/base/index.js";
import {
  byCodeUnit,
  type FieldChange,
  type MemoryRecord,
  recordChanges,
  stateDiff,
  type Tip,
} from "../../core/ledger/index.js";
import { erasedAmong, type LeftOut } from "../../memories/index.js";
import { type AtTip, findKey, headLookup, tipAt } from "../../repo/index.js";
import type { ChangesOptions } from "../options.js";

export interface DiffItem {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly type: string;
  readonly text: string;
  readonly hash: Hash;
}

export interface ChangedItem {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly text: string;
  readonly fields: readonly FieldChange[];
}

export interface Diff extends LeftOut {
  readonly from: Hash;
  readonly to: Hash;
  readonly added: readonly DiffItem[];
  readonly removed: readonly DiffItem[];
  readonly changed: readonly ChangedItem[];
}

/** What differs between two states, as far as the session sees both versions; in the order of scope and id. */
export async function diff({ context, reader, tip: from }: AtTip, to: Tip): Promise<Diff> {
  const { changes } = await reader.read([from, to], (source) =>
    stateDiff(from.commit.root, to.commit.root, source),
  );
  const [added, removed, changed]: [DiffItem[], DiffItem[], ChangedItem[]] = [[], [], []];
  const records = await reader.values(
    "memory",
    changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()),
  );
  const seen = (hash: Hash | undefined): MemoryRecord | undefined => {
    const record = hash && records.get(hash);
    return record && context.sight.seesRecord(record) ? record : undefined;
  };
  for (const { before, after } of changes) {
    const [was, is] = [seen(before), seen(after)];
    if (was && is)
      changed.push({ id: is.id, scope: is.scope, text: is.text, fields: recordChanges(was, is) });
    else if (is) added.push(itemOf(is, after as Hash));
    else if (was) removed.push(itemOf(was, before as Hash));
  }
  for (const list of [added, removed, changed] as { scope: Scope; id: MemoryId }[][])
    list.sort((a, b) => byCodeUnit(a.scope, b.scope) || byCodeUnit(a.id, b.id));
  const leftOut = await erasedAmong(context, changes, ({ before, after }) => [before, after]);
  return { from: from.hash, to: to.hash, added, removed, changed, ...leftOut };
}

const itemOf = ({ id, scope, type, text }: MemoryRecord, hash: Hash): DiffItem => ({
  id,
  scope,
  type,
  text,
  hash,
});

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
