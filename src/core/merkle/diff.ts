import type { Hash } from "../base/index.js";
import {
  childAt,
  childOffset,
  compareKeys,
  EMPTY_NODE,
  entryCount,
  HEX,
  hasChild,
  isBranch,
  KEY,
  keyAt,
  keyOffset,
  nibbleAt,
  valueAt,
} from "./node.js";
import { asNeed, load, type Missing, type Need, type NodeSource } from "./walk.js";

/** One key whose value differs; without `before` it was added, without `after` removed. */
export interface EntryChange {
  readonly key: Hash;
  readonly before?: Hash;
  readonly after?: Hash;
}

/** A whole branch, or entries `from`..`to` of a bucket: what is left of it on the way down a facing branch. */
interface Side {
  readonly node: Uint8Array;
  readonly from: number;
  readonly to: number;
}

const NOTHING: Side = { node: EMPTY_NODE, from: 0, to: 0 };

/** The keys whose values differ, ascending. Equal subtrees are skipped unread: the cost is that of the change. */
export function diffTries(a: Hash, b: Hash, source: NodeSource): { changes: EntryChange[] } | Need {
  const changes: EntryChange[] = [];
  if (a === b) return { changes };
  const missing: Missing = new Set();

  const open = (hash: Hash, path: string): Side | undefined => {
    const node = load(source, hash, path.length, path, missing);
    return node && { node, from: 0, to: entryCount(node) };
  };

  const compare = (left: Side, right: Side, path: string): void => {
    if (!isBranch(left.node) && !isBranch(right.node)) {
      if (missing.size === 0) compareEntries(left, right, changes);
      return;
    }
    for (let nibble = 0; nibble < 16; nibble++) {
      if (sameChild(left.node, right.node, nibble)) continue;
      const x = part(left, nibble, path.length);
      const y = part(right, nibble, path.length);
      if (x === NOTHING && y === NOTHING) continue;
      const below = path + HEX[nibble];
      const leftBelow = typeof x === "string" ? open(x, below) : x;
      const rightBelow = typeof y === "string" ? open(y, below) : y;
      if (leftBelow && rightBelow) compare(leftBelow, rightBelow, below);
    }
  };

  const left = open(a, "");
  const right = open(b, "");
  if (left && right) compare(left, right, "");
  return missing.size > 0 ? asNeed(missing) : { changes };
}

/** Compared as bytes, because most children of two branches are alike and need no hash made of them. */
export function sameChild(a: Uint8Array, b: Uint8Array, nibble: number): boolean {
  return (
    isBranch(a) &&
    isBranch(b) &&
    hasChild(a, nibble) &&
    hasChild(b, nibble) &&
    compareKeys(a, childOffset(a, nibble), b, childOffset(b, nibble)) === 0
  );
}

/** What a side holds under a nibble: a child still to be read, or a share of its entries. */
function part(side: Side, nibble: number, depth: number): Side | Hash {
  const { node } = side;
  if (isBranch(node)) return childAt(node, nibble) ?? NOTHING;
  let from = side.from;
  while (from < side.to && nibbleAt(node, keyOffset(from), depth) < nibble) from++;
  let to = from;
  while (to < side.to && nibbleAt(node, keyOffset(to), depth) === nibble) to++;
  return from === to ? NOTHING : { node, from, to };
}

function compareEntries(left: Side, right: Side, changes: EntryChange[]): void {
  const a = left.node;
  const b = right.node;
  let i = left.from;
  let j = right.from;
  while (i < left.to || j < right.to) {
    const order = i === left.to ? 1 : j === right.to ? -1 : compareKeys(a, keyOffset(i), b, keyOffset(j));
    if (order < 0) changes.push({ key: keyAt(a, i), before: valueAt(a, i) });
    else if (order > 0) changes.push({ key: keyAt(b, j), after: valueAt(b, j) });
    else if (compareKeys(a, keyOffset(i) + KEY, b, keyOffset(j) + KEY) !== 0)
      changes.push({ key: keyAt(a, i), before: valueAt(a, i), after: valueAt(b, j) });
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
}
