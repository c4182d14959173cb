import type { Hash, MemoryId, Scope } from "../../core/base/index.js";
import {
  byCodeUnit,
  type FieldChange,
  type MemoryRecord,
  recordChanges,
  stateDiff,
  type Tip,
} from "../../core/ledger/index.js";
import { erasedAmong, type LeftOut } from "../../memories/index.js";
import type { AtTip } from "../../repo/index.js";

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
