import type { Hash, MemoryId, Timestamp } from "../core/base/index.js";
import {
  type Author,
  contentHash,
  expandRecord,
  type FullRecord,
  parentLink,
  type Touch,
  treeHash,
} from "../core/ledger/index.js";
import type { At, AtTip } from "../repo/index.js";
import { type Entry, entriesOf, type Holder, isExpired } from "../repo/index.js";
import { inOrder } from "./placing.js";
import { isScopeKnown, scopeTree } from "./scope-tree.js";

/** A memory as readers get it: the record with its defaults, its hashes, and what its history says of it. */
export interface Memory extends FullRecord {
  /** Hash of this version of the record; name it in `ifHash`. */
  readonly hash: Hash;
  /** Hash of what is said, without where, when and by whom. */
  readonly content: Hash;
  /** Hash of the content and of everything below it that the session sees. */
  readonly merkle: Hash;
  readonly version: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** When this version became durable. */
  readonly lastSync: Timestamp;
  readonly commit: Hash;
  readonly author: Author;
  /** Ids of the children that the session sees, in order. */
  readonly children: readonly MemoryId[];
}

export function toMemory(entry: Entry, children: readonly Holder[], merkle: Hash, content: Hash): Memory {
  return Object.freeze({
    ...expandRecord(entry.record),
    hash: entry.hash,
    content,
    merkle,
    version: entry.version,
    createdAt: entry.created,
    updatedAt: entry.updated,
    lastSync: entry.updated,
    commit: entry.commit as Hash,
    author: Object.freeze(entry.author),
    children: Object.freeze(children.map((child) => child.record.id)),
  });
}

/** The children of a record that a session sees at a commit, in order. */
export async function childrenAt(at: At, entry: Entry, now: string): Promise<Entry[]> {
  const { reader } = at;
  const { scope, id } = entry.record;
  const rows = await reader.storage.touchLinked(parentLink(scope, id));
  return childrenAmong(at, entry, now, rows);
}

/** The same, with the rows of all that was ever linked to it at hand. */
async function childrenAmong(
  { context, reader, tip }: AtTip,
  entry: Entry,
  now: string,
  rows: readonly Touch[],
): Promise<Entry[]> {
  const { id } = entry.record;
  const linked = await entriesOf(reader, tip, rows);
  return inOrder(
    linked.filter(
      (child) =>
        child.record.parent === id && context.sight.seesRecord(child.record) && !isExpired(child, now),
    ),
  );
}

/** Beyond this many it is cheaper to read the scope once, and then to follow its changes, than to look up each node. */
const MANY = 200;

/** One memory with its tree hash. Walks the tree below it with a list of its own, because trees may be deep. */
export async function memoryAt(at: At, entry: Entry, now: string): Promise<Memory> {
  const { context, reader, tip } = at;
  const content = contentHash(entry.record);
  const { scope, id } = entry.record;
  const wide = async (): Promise<Memory> => {
    const tree = await scopeTree(context, scope, tip, now);
    return toMemory(entry, tree.childrenOf(id), tree.merkle(id) as Hash, content);
  };
  if (isScopeKnown(context, scope)) return wide();
  const rows = await reader.storage.touchLinked(parentLink(scope, id), MANY + 1);
  if (rows.length > MANY) return wide();
  const children = await childrenAmong(at, entry, now, rows);
  if (children.length === 0) return toMemory(entry, [], treeHash(content, []), content);
  const order: { entry: Entry; children: Entry[] }[] = [{ entry, children }];
  const seen = new Set([entry.record.id]);
  for (let next = 0; next < order.length; next++) {
    if (order.length > MANY) return wide();
    for (const child of (order[next] as { children: Entry[] }).children) {
      if (seen.has(child.record.id)) continue;
      seen.add(child.record.id);
      order.push({ entry: child, children: await childrenAt(at, child, now) });
    }
  }
  return toMemory(entry, children, treeHashes(order).get(entry.record.id) as Hash, content);
}

/** Tree hashes of a forest given parents first: children are hashed before their parents. */
export function treeHashes(
  order: readonly { readonly entry: Holder; readonly children: readonly Holder[] }[],
): Map<MemoryId, Hash> {
  const hashes = new Map<MemoryId, Hash>();
  for (const { entry, children } of order.toReversed()) {
    const below = children.map((child) => hashes.get(child.record.id) ?? contentHash(child.record));
    hashes.set(entry.record.id, treeHash(contentHash(entry.record), below));
  }
  return hashes;
}

/** Has a memory that was read earlier expired meanwhile? */
export const isEnded = ({ expiresAt }: Memory, clock: () => number): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= clock();
