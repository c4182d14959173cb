import {
  type Hash,
  idKey,
  type JsonObject,
  type MemoryId,
  parseScope,
  sameJson,
  scopeKey,
} from "../../base/index.js";
import { byCodeUnit, contentHash, type MemoryRecord, type Tip, type Touch } from "../../ledger/index.js";
import type { Context } from "../context.js";
import { type Entry, entryFrom, type Holder } from "../entries.js";
import { visibleRecords } from "../find.js";
import { type Memory, toMemory, treeHashes } from "../memory.js";
import { inOrder } from "../placing.js";
import type { Reader } from "../reader.js";
import { rowAmong, rowAt } from "../versions.js";

export interface ListFilter {
  readonly scope?: string;
  readonly type?: string;
  readonly tier?: string;
  readonly topic?: string;
  readonly tag?: string;
  readonly parent?: string;
  /** Every attribute named must have exactly this value. */
  readonly attributes?: JsonObject;
  readonly limit?: number;
}

/** Memories the session sees at a commit, oldest first. */
export async function list(
  context: Context,
  reader: Reader,
  tip: Tip,
  now: string,
  filter: ListFilter,
): Promise<Memory[]> {
  const only = filter.scope === undefined ? undefined : parseScope(filter.scope);
  const all = await visibleRecords(context, reader, tip, only);
  const live = all.filter(({ record }) => record.expiresAt === undefined || record.expiresAt > now);
  const wanted = live.filter(({ record }) => fits(record, filter));
  const entries = await entriesOf(reader, tip, wanted);
  entries.sort(
    (a, b) =>
      byCodeUnit(a.created, b.created) ||
      byCodeUnit(a.record.scope, b.record.scope) ||
      byCodeUnit(a.record.id, b.record.id),
  );
  const shown = entries.slice(0, filter.limit);
  const trees = forest(live);
  return shown.map((entry) => {
    const { children, merkle } = trees(entry);
    return toMemory(entry, children, merkle, contentHash(entry.record));
  });
}

function fits(record: MemoryRecord, filter: ListFilter): boolean {
  const { type, tier, topic, tag, parent, attributes } = filter;
  if (type !== undefined && record.type !== type) return false;
  if (tier !== undefined && (record.tier ?? "register") !== tier) return false;
  if (topic !== undefined && record.topic !== topic) return false;
  if (tag !== undefined && !record.tags?.includes(tag)) return false;
  if (parent !== undefined && record.parent !== parent) return false;
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (!sameJson(record.attributes?.[name], value)) return false;
  return true;
}

/** Beyond this many it is cheaper to read all touch rows in order than to look each one up. */
const FEW = 500;

async function entriesOf(
  reader: Reader,
  tip: Tip,
  records: readonly { readonly record: MemoryRecord; readonly hash: Hash }[],
): Promise<Entry[]> {
  const rows = records.length > FEW ? await allRows(reader) : undefined;
  const entries: Entry[] = [];
  for (const { record, hash } of records) {
    const [scope, id] = [scopeKey(record.scope), idKey(record.id)];
    const row = rows
      ? await rowAmong(reader, tip, rows.get(scope + id) ?? [], hash)
      : await rowAt(reader, tip, scope, id, hash);
    if (row) entries.push(entryFrom(record, hash, row));
    else reader.damaged.add(hash);
  }
  return entries;
}

async function allRows(reader: Reader): Promise<Map<string, Touch[]>> {
  const rows = new Map<string, Touch[]>();
  for (let after = 0; ; ) {
    const page = await reader.storage.touchSince(after, 10_000);
    for (const row of page.touch) {
      const key = row.scope + row.id;
      const known = rows.get(key);
      if (known) known.push(row);
      else rows.set(key, [row]);
    }
    if (page.seq === after) return rows;
    after = page.seq;
  }
}

interface Branch {
  readonly entry: Holder;
  readonly children: Holder[];
}

/** Children and tree hashes of all entries at once. */
function forest(entries: readonly Holder[]): (entry: Holder) => { children: Holder[]; merkle: Hash } {
  const byParent = new Map<string, Holder[]>();
  for (const entry of entries) {
    if (entry.record.parent === undefined) continue;
    const key = `${entry.record.scope}\n${entry.record.parent}`;
    const siblings = byParent.get(key);
    if (siblings) siblings.push(entry);
    else byParent.set(key, [entry]);
  }
  const branchOf = (entry: Holder): Branch => ({
    entry,
    children: inOrder(byParent.get(`${entry.record.scope}\n${entry.record.id}`) ?? []),
  });
  return (entry) => {
    const top = branchOf(entry);
    const order = [top];
    const seen = new Set<MemoryId>([entry.record.id]);
    for (let at = 0; at < order.length; at++)
      for (const child of (order[at] as Branch).children)
        if (!seen.has(child.record.id)) {
          seen.add(child.record.id);
          order.push(branchOf(child));
        }
    return { children: top.children, merkle: treeHashes(order).get(entry.record.id) as Hash };
  };
}
