import { type Hash, writeHash } from "../base/index.js";
import { type Batch, type Changes, countRemovals, endOfGroup, sortChanges } from "./batch.js";
import {
  buildNode,
  joinBuckets,
  keep,
  type Making,
  type NewNodes,
  newBranch,
  nothingMade,
  writeCount,
} from "./build.js";
import {
  BRANCH_HEAD,
  BUCKET_HEAD,
  bitmapOf,
  childAt,
  childOffset,
  compareKeys,
  EMPTY_NODE,
  EMPTY_ROOT,
  ENTRY,
  entryCount,
  HEX,
  hasChild,
  hashNode,
  holdsKey,
  isBranch,
  KEY,
  keyOffset,
  lowerBound,
  MAX_BUCKET,
  MAX_COUNT,
  newNode,
  nibbleAt,
  nibbleOf,
} from "./node.js";
import {
  asNeed,
  childrenOf,
  damaged,
  load,
  type Missing,
  type Need,
  type NodeSource,
  nodeAt,
} from "./walk.js";

interface Work {
  readonly batch: Batch;
  readonly source: NodeSource;
  readonly missing: Missing;
  readonly made: Making;
}

/** A changed child; it is kept only when its parent is known to stay a branch. */
export interface Edit {
  readonly nibble: number;
  readonly node: Buffer;
}

/**
 * Applies a whole batch in one pass. `nodes` are those of the new trie that were made, without the ones
 * taken over, and `gone` those of the old one that they replace, both added to what is given; one that only moves is
 * in both. Removing an absent key or setting the value that is there changes nothing: same root, no nodes.
 */
export function applyChanges(
  root: Hash,
  changes: Changes,
  source: NodeSource,
  made: Making = nothingMade(),
): (Making & { root: Hash }) | Need {
  if (changes.size === 0) return { root, nodes: made.nodes, gone: made.gone };
  const missing: Missing = new Set();
  const old = load(source, root, 0, "", missing);
  if (old === undefined) return asNeed(missing);
  const work: Work = { batch: sortChanges(changes), source, missing, made };
  const node = update(work, old, 0, 0, changes.size);
  if (missing.size > 0) return asNeed(missing);
  if (node === undefined) return { root, nodes: made.nodes, gone: made.gone };
  if (root !== EMPTY_ROOT) made.gone.push(root);
  return { root: keep(made.nodes, node), nodes: made.nodes, gone: made.gone };
}

/** The node with changes `from`..`to` applied, or undefined if it stays as it is. */
function update(work: Work, node: Uint8Array, depth: number, from: number, to: number): Buffer | undefined {
  if (isBranch(node)) return updateBranch(work, node, depth, from, to);
  return mergeBucket(node, work.batch, from, to, depth, work.made.nodes);
}

function updateBranch(
  work: Work,
  node: Uint8Array,
  depth: number,
  from: number,
  to: number,
): Buffer | undefined {
  const { batch, source, missing, made } = work;
  const edits: Edit[] = [];
  const children: Uint8Array[] = [];
  let untouched = bitmapOf(node);
  let count = entryCount(node);
  for (let start = from; start < to; ) {
    const end = endOfGroup(batch.keys, start, to, depth);
    const nibble = nibbleAt(batch.keys, start * KEY, depth);
    const hash = childAt(node, nibble);
    const child =
      hash === undefined ? EMPTY_NODE : load(source, hash, depth + 1, batch.names[start]!, missing);
    const next = child && update(work, child, depth + 1, start, end);
    if (child) children[nibble] = next ?? child;
    if (child && next) {
      count += entryCount(next) - entryCount(child);
      edits.push({ nibble, node: next });
    }
    untouched &= ~(1 << nibble);
    start = end;
  }
  // Asked for with this level although the collapse is not certain yet: later would cost a further round.
  if (entryCount(node) - countRemovals(batch, from, to) <= MAX_BUCKET)
    loadChildren(work, node, untouched, batch.names[from]!.slice(0, depth), children);
  if (missing.size > 0 || edits.length === 0) return undefined;
  const next =
    count > MAX_BUCKET ? patchBranch(node, edits, count, made.nodes) : joinBuckets(children, count);
  if (next === undefined) throw damaged(hashNode(node), "its count is not that of its children");
  const replaced = count > MAX_BUCKET ? edits.map(({ nibble }) => childAt(node, nibble)) : childrenOf(node);
  for (const hash of replaced) if (hash !== undefined) made.gone.push(hash);
  return next;
}

/** Adds the children named by `bitmap`, each at the index of its nibble. */
function loadChildren(
  work: Work,
  node: Uint8Array,
  bitmap: number,
  path: string,
  children: Uint8Array[],
): void {
  for (let nibble = 0; nibble < 16; nibble++) {
    if ((bitmap & (1 << nibble)) === 0) continue;
    const hash = childAt(node, nibble)!;
    const child = load(work.source, hash, path.length + 1, path + HEX[nibble], work.missing);
    if (child !== undefined) children[nibble] = child;
  }
}

/** The branch with its changed children, which are kept now; undefined if its count cannot be right. */
export function patchBranch(
  node: Uint8Array,
  edits: readonly Edit[],
  count: number,
  nodes: NewNodes,
): Buffer | undefined {
  let bitmap = bitmapOf(node);
  for (const { nibble, node: child } of edits)
    bitmap = entryCount(child) === 0 ? bitmap & ~(1 << nibble) : bitmap | (1 << nibble);
  if (bitmap === 0 || count > MAX_COUNT) return undefined;
  if (bitmap === bitmapOf(node)) return replaceChildren(node, edits, count, nodes);
  const branch = newBranch(bitmap, count);
  let read = BRANCH_HEAD;
  let write = BRANCH_HEAD;
  for (const { nibble, node: child } of edits) {
    const at = childOffset(node, nibble);
    branch.set(node.subarray(read, at), write);
    write += at - read;
    read = hasChild(node, nibble) ? at + KEY : at;
    if (entryCount(child) === 0) continue;
    writeHash(keep(nodes, child), branch, write);
    write += KEY;
  }
  branch.set(node.subarray(read), write);
  return branch;
}

/** None comes and none goes, which is what nearly always happens: the same bytes with other hashes in them. */
function replaceChildren(node: Uint8Array, edits: readonly Edit[], count: number, nodes: NewNodes): Buffer {
  const branch = newNode(node.length);
  branch.set(node);
  writeCount(branch, count);
  for (const { nibble, node: child } of edits)
    writeHash(keep(nodes, child), branch, childOffset(node, nibble));
  return branch;
}

/**
 * What a bucket becomes after changes `from`..`to`, or undefined if nothing changes: a bucket, written where it will
 * stay, or, with more entries than fit in one, a branch. What lies between two changes is copied as one block.
 */
export function mergeBucket(
  bucket: Uint8Array,
  batch: Batch,
  from: number,
  to: number,
  depth: number,
  nodes: NewNodes,
): Buffer | undefined {
  const { keys, values, removed } = batch;
  const most = entryCount(bucket) + to - from;
  const size = BUCKET_HEAD + most * ENTRY;
  const merged = most <= MAX_BUCKET ? newNode(size) : Buffer.allocUnsafe(size);
  let changed = false;
  let read = 0;
  let write = BUCKET_HEAD;
  const copyUntil = (entry: number): void => {
    merged.set(bucket.subarray(keyOffset(read), keyOffset(entry)), write);
    write += (entry - read) * ENTRY;
    read = entry;
  };
  for (let at = from; at < to; at++) {
    const entry = lowerBound(bucket, keys, at * KEY, read);
    const found = holdsKey(bucket, entry, keys, at * KEY);
    copyUntil(entry);
    if (removed[at] === 1) {
      changed ||= found;
    } else {
      changed ||= !found || compareKeys(bucket, keyOffset(entry) + KEY, values, at * KEY) !== 0;
      keys.copy(merged, write, at * KEY, at * KEY + KEY);
      values.copy(merged, write + KEY, at * KEY, at * KEY + KEY);
      write += ENTRY;
    }
    if (found) read++;
  }
  if (!changed) return undefined;
  copyUntil(entryCount(bucket));
  const count = (write - BUCKET_HEAD) / ENTRY;
  if (most > MAX_BUCKET) return buildNode(merged.subarray(BUCKET_HEAD), 0, count, depth, nodes);
  merged[0] = 0;
  merged[1] = count;
  return count === most ? merged : merged.subarray(0, write);
}

/** A batch of one, filled again for each call: nothing keeps it, and nothing else runs meanwhile. */
const keys = Buffer.alloc(KEY);
const values = Buffer.alloc(KEY);
const ONE: Batch = { names: [], keys, values, removed: new Uint8Array(1) };

/**
 * Sets the value of one key, as `applyChanges` would: down to its bucket, and the same way up again. Nearly every
 * commit is one such change in each of two tries, and what a batch needs to be sorted and grouped costs more than it.
 */
export function setOne(
  root: Hash,
  key: Hash,
  value: Hash,
  source: NodeSource,
  made: Making = nothingMade(),
): (Making & { root: Hash }) | Need {
  const path: Uint8Array[] = [];
  const hashes: Hash[] = [];
  let bucket = EMPTY_NODE;
  for (let hash: Hash | undefined = root; hash !== undefined; ) {
    const node = nodeAt(source, hash, path.length, key);
    if (node === undefined) return { need: [hash] };
    hashes.push(hash);
    if (isBranch(node)) {
      hash = childAt(node, nibbleOf(key, path.length));
      path.push(node);
    } else {
      bucket = node;
      hash = undefined;
    }
  }
  let node = withEntry(bucket, key, value, path.length, made);
  if (node === undefined) return { root, nodes: made.nodes, gone: made.gone };
  const added = entryCount(node) - entryCount(bucket);
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const branch = path[depth]!;
    const edit = { nibble: nibbleOf(key, depth), node };
    node = patchBranch(branch, [edit], entryCount(branch) + added, made.nodes);
    if (node === undefined) throw damaged(hashNode(branch), "its count is not that of its children");
  }
  for (const hash of hashes) if (hash !== EMPTY_ROOT) made.gone.push(hash);
  return { root: keep(made.nodes, node), nodes: made.nodes, gone: made.gone };
}

/** The bucket with the entry; a branch, where it was full; undefined when it holds it already. */
function withEntry(
  bucket: Uint8Array,
  key: Hash,
  value: Hash,
  depth: number,
  made: Making,
): Buffer | undefined {
  writeHash(key, keys, 0);
  writeHash(value, values, 0);
  const entry = lowerBound(bucket, keys, 0);
  const at = keyOffset(entry);
  if (holdsKey(bucket, entry, keys, 0)) {
    if (compareKeys(bucket, at + KEY, values, 0) === 0) return undefined;
    const changed = newNode(bucket.length);
    changed.set(bucket);
    changed.set(values, at + KEY);
    return changed;
  }
  const count = entryCount(bucket) + 1;
  if (count > MAX_BUCKET) return mergeBucket(bucket, ONE, 0, 1, depth, made.nodes);
  const longer = newNode(bucket.length + ENTRY);
  longer.set(bucket);
  longer.copyWithin(at + ENTRY, at, bucket.length);
  longer[1] = count;
  longer.set(keys, at);
  longer.set(values, at + KEY);
  return longer;
}
