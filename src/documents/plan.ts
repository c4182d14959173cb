import type { JsonObject, MemoryId } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { positionsFor } from "../memories/index.js";
import { Matcher } from "./match.js";
import type { DocNode, Placed } from "./node.js";

export interface Step {
  readonly id: MemoryId;
  readonly node: DocNode;
  readonly parent: MemoryId | undefined;
  readonly position: string | undefined;
  /** What is stored under the id now. */
  readonly before: MemoryRecord | undefined;
  readonly isChanged: boolean;
  readonly isMoved: boolean;
}

export interface Plan {
  /** Parents before children: whatever is written finds its parent in place. */
  readonly steps: readonly Step[];
  /** Children before parents. */
  readonly removed: readonly MemoryRecord[];
}

export interface Target {
  readonly parent: MemoryId | undefined;
  /** The stored root and everything below it, parents first; empty for a new tree. */
  readonly stored: readonly MemoryRecord[];
  /** A record anywhere in the scope, for nodes that come from another tree. */
  lookup(id: MemoryId): MemoryRecord | undefined;
  /** Was it made by reading a document? Only those are forgotten when the document no longer has them. */
  isOurs(record: MemoryRecord): boolean;
}

/** Which memory each node of a tree, parents first, is. */
export const idsOf = (
  list: readonly Placed[],
  root: MemoryId,
  stored: readonly MemoryRecord[],
): Promise<MemoryId[]> => new Matcher(list, root, stored).run();

/** What has to happen so that the stored tree becomes this one, its nodes having these ids. */
export function planTree(list: readonly Placed[], ids: readonly MemoryId[], target: Target): Plan {
  const known = new Map(target.stored.map((record) => [record.id, record]));
  const before = ids.map((id) => known.get(id) ?? target.lookup(id));
  const parents = list.map(({ parent }) => (parent === undefined ? target.parent : ids[parent]));
  const positions = places(
    list.map(({ parent }) => parent),
    before,
    parents,
  );
  const steps = list.map(({ node }, at): Step => {
    const [id, was, parent] = [ids[at] as MemoryId, before[at], parents[at]];
    // The root keeps the place it has among its siblings.
    const position = at === 0 ? (was?.parent === parent ? was?.position : undefined) : positions[at];
    const isMoved = was !== undefined && (was.parent !== parent || was.position !== position);
    return {
      id,
      node,
      parent,
      position,
      before: was,
      isChanged: was !== undefined && !saysSame(was, node),
      isMoved,
    };
  });
  const used = new Set(ids);
  const removed = target.stored
    .filter((record) => !used.has(record.id) && target.isOurs(record))
    .toReversed();
  return { steps, removed };
}

function places(
  parentIndex: readonly (number | undefined)[],
  before: readonly (MemoryRecord | undefined)[],
  parents: readonly (MemoryId | undefined)[],
): (string | undefined)[] {
  const siblings = new Map<number, number[]>();
  for (const [at, parent] of parentIndex.entries()) {
    if (parent === undefined) continue;
    const list = siblings.get(parent);
    if (list) list.push(at);
    else siblings.set(parent, [at]);
  }
  const positions: (string | undefined)[] = new Array(parentIndex.length);
  for (const list of siblings.values()) {
    const current = list.map((at) => (before[at]?.parent === parents[at] ? before[at]?.position : undefined));
    for (const [index, position] of positionsFor(current).entries())
      positions[list[index] as number] = position;
  }
  return positions;
}

/** Does a stored node say what the document says? Where it hangs is another question. */
export function saysSame(record: MemoryRecord, { type, text, attributes, tags }: DocNode): boolean {
  return (
    record.type === type &&
    record.text === text &&
    isAlike(record.attributes ?? {}, attributes) &&
    isAlike(record.tags ?? [], [...new Set(tags)].sort())
  );
}

/** Are these the same JSON, in whatever order their keys stand? Without writing it out, for thousands of nodes. */
function isAlike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => isAlike(item, b[at]))
    );
  const [left, right] = [a as JsonObject, b as JsonObject];
  const isCovered = (one: JsonObject, other: JsonObject) =>
    Object.keys(one).every((key) => one[key] === undefined || Object.hasOwn(other, key));
  return isCovered(right, left) && Object.keys(left).every((key) => isAlike(left[key], right[key]));
}
