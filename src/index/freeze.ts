import { HashList, hashFromBytes, type MemoryId } from "../core/base/index.js";
import { byCodeUnit } from "../core/ledger/index.js";
import { countUses } from "./docs.js";
import {
  byPartition,
  dictionaryOf,
  emptyColumns,
  type Frozen,
  hashTableOf,
  idAt,
  inRam,
  NAMED,
  Names,
  NONE,
  type Partition,
  PLAIN,
  partitionAt,
  sizeOf,
  writeDoc,
} from "./frozen.js";
import type { Layer } from "./open.js";
import { chainsOf } from "./saying.js";
import { inSlices, type Steps } from "./slices.js";
import { findString, StringsBuilder, withTable } from "./strings.js";
import { NO_TURNS, turnsOf } from "./turns.js";

/** Joins the parts of a view into one frozen part without what is dead. */
export function* freeze(
  base: Frozen,
  layers: readonly Layer[],
  partitions: readonly Partition[],
  isDead: (doc: number) => boolean,
): Steps<Frozen> {
  const sorted = partitions.filter(({ count }) => count > 0).sort(byPartition);
  const places = partitions.map((partition) => sorted.indexOf(partition));
  const live = sorted.reduce((sum, { count }) => sum + count, 0);
  const order = yield* liveInOrder(base, layers, places, isDead, live);
  const frozen = inRam({
    ...(yield* freezeDirectory(base, layers, order, sorted)),
    ...(yield* freezeIndex(base, layers, order)),
    ...NO_TURNS,
  });
  return inRam({ ...frozen, ...(yield* turnsOf(frozen)) });
}

/** A memory that was not frozen yet, and what the order is made of. */
interface Fresh {
  readonly doc: number;
  readonly place: number;
  readonly created: number;
  readonly id: MemoryId;
}

/** The numbers of what is live, in the order in which it is frozen. Those that were frozen are in order among themselves. */
function* liveInOrder(
  base: Frozen,
  layers: readonly Layer[],
  places: readonly number[],
  isDead: (doc: number) => boolean,
  live: number,
): Steps<Uint32Array> {
  const fresh: Fresh[] = [];
  for (const { open, start, size } of layers)
    for (let at = 0; at < size; at++)
      if (!isDead(start + at)) {
        const [created, id] = [open.docs.number("created", at), open.docs.idOf(at)];
        fresh.push({ doc: start + at, place: places[open.partitions[at]!]!, created, id });
      }
  yield;
  fresh.sort((a, b) => a.place - b.place || a.created - b.created || byCodeUnit(a.id, b.id));
  yield;
  const order = new Uint32Array(live);
  let [next, taken] = [0, 0];
  const isBefore = ({ place, created, id }: Fresh, doc: number): boolean =>
    (place - places[partitionAt(base, doc)]! ||
      created - base.created[doc]! ||
      byCodeUnit(id, idAt(base, doc))) < 0;
  yield* inSlices(sizeOf(base), (from, to) => {
    for (let doc = from; doc < to; doc++) {
      if (isDead(doc)) continue;
      while (taken < fresh.length && isBefore(fresh[taken]!, doc)) order[next++] = fresh[taken++]!.doc;
      order[next++] = doc;
    }
  });
  for (; taken < fresh.length; taken++) order[next++] = fresh[taken]!.doc;
  return order;
}

/**
 * The inverted index of the memories in their new order. A list that was frozen stays ascending, so that each term is two
 * lists that are merged, and nothing but the new index is made as large as the old one.
 */
function* freezeIndex(base: Frozen, layers: readonly Layer[], order: Uint32Array) {
  const newNumber = numbersOf(order, sizeOf(base));
  const fresh = yield* freshLists(base, layers, order);
  const oldCount = base.starts.length - 1;
  const termCount = oldCount + fresh.terms.size;

  const counts = new Uint32Array(termCount);
  for (let term = 0; term < termCount; term++) counts[term] = fresh.starts[term + 1]! - fresh.starts[term]!;
  yield* inStretches(base.starts, (term, from, to) => {
    for (let at = from; at < to; at++) if (newNumber[base.docs[at]!] !== NONE) counts[term]!++;
  });

  const old = dictionaryOf(base);
  const words = new StringsBuilder();
  const starts: number[] = [0];
  let total = 0;
  const keep = (term: number, add: () => void): void => {
    if (counts[term] === 0) return;
    total += counts[term]!;
    starts.push(total);
    add();
  };
  yield* inSlices(oldCount, (from, to) => {
    for (let term = from; term < to; term++) keep(term, () => words.copy(old, term));
  });
  for (const [text, term] of fresh.terms) keep(term, () => words.add(text));

  const docs = new Uint32Array(total);
  const weights = new Uint8Array(total);
  let next = 0;
  const put = (doc: number, weight: number): void => {
    docs[next] = doc;
    weights[next++] = weight;
  };
  const putFresh = (from: number, to: number): void => {
    for (let at = from; at < to; at++) put(fresh.docs[at]!, fresh.weights[at]!);
  };
  yield* inStretches(base.starts, (term, from, to) => {
    let taken = fresh.starts[term]!;
    const end = fresh.starts[term + 1]!;
    for (let at = from; at < to; at++) {
      const doc = newNumber[base.docs[at]!]!;
      if (doc === NONE) continue;
      while (taken < end && fresh.docs[taken]! < doc) put(fresh.docs[taken]!, fresh.weights[taken++]!);
      put(doc, base.weights[at]!);
    }
    putFresh(taken, end);
  });
  putFresh(fresh.starts[oldCount]!, fresh.docs.length);
  const { bytes: termBytes, starts: termStarts, table: termTable } = withTable(words.done());
  return { termBytes, termStarts, termTable, starts: Uint32Array.from(starts), docs, weights };
}

/** What was frozen before, by its old number: its new one, or NONE. */
function numbersOf(order: Uint32Array, size: number): Uint32Array {
  const numbers = new Uint32Array(size).fill(NONE);
  for (let at = 0; at < order.length; at++) if (order[at]! < size) numbers[order[at]!] = at;
  return numbers;
}

/** The index of what was not frozen yet: terms that are known by their old numbers, new ones behind them. */
function* freshLists(base: Frozen, layers: readonly Layer[], order: Uint32Array) {
  const old = dictionaryOf(base);
  const oldCount = base.starts.length - 1;
  const terms = new Map<string, number>();
  yield;
  const numbers = layers.map(({ open }) => {
    const map = new Uint32Array(open.terms.size);
    for (const [term, at] of open.terms) {
      const known = oldCount === 0 ? -1 : findString(old, term);
      const number = known < 0 ? terms.get(term) : known;
      map[at] = number ?? oldCount + terms.size;
      if (number === undefined) terms.set(term, oldCount + terms.size);
    }
    return map;
  });
  const each = (doc: number, take: (term: number, weight: number) => void): void => {
    const layer = layers.findLastIndex(({ start }) => doc >= start);
    if (layer < 0) return;
    const { open, start } = layers[layer]!;
    const [from, to] = [open.forwardStarts[doc - start]!, open.forwardStarts[doc - start + 1]!];
    for (let at = from; at < to; at++)
      take(numbers[layer]![open.forward[at]! >>> 8]!, open.forward[at]! & 255);
  };
  const starts = new Uint32Array(oldCount + terms.size + 1);
  yield* inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++)
      each(order[at]!, (term) => {
        starts[term + 1]!++;
      });
  });
  for (let term = 1; term < starts.length; term++) starts[term]! += starts[term - 1]!;
  const next = starts.slice(0, -1);
  const docs = new Uint32Array(starts.at(-1)!);
  const weights = new Uint8Array(docs.length);
  yield* inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++)
      each(order[at]!, (term, weight) => {
        const place = next[term]!++;
        docs[place] = at;
        weights[place] = weight;
      });
  });
  return { terms, starts, docs, weights };
}

/** So many entries of lists at a time take a few milliseconds. */
const STRETCH = 131_072;

/** Does something with every list, as many at a time as make a stretch. */
function* inStretches(
  starts: Uint32Array,
  work: (term: number, from: number, to: number) => void,
): Steps<void> {
  let begun = 0;
  for (let term = 0; term + 1 < starts.length; term++) {
    work(term, starts[term]!, starts[term + 1]!);
    if (starts[term + 1]! - begun < STRETCH) continue;
    begun = starts[term + 1]!;
    yield;
  }
}

/** The directory of the memories in their new order. What was frozen is copied as numbers, never made into objects. */
function* freezeDirectory(
  base: Frozen,
  layers: readonly Layer[],
  order: Uint32Array,
  partitions: readonly Partition[],
) {
  const count = order.length;
  const names = new Names();
  const commits = new HashList();
  const oldName = translation(base.names.length, (at) => names.of(base.names[at]));
  const oldCommit = translation(base.commits.length / 32, (at) =>
    commits.add(hashFromBytes(base.commits, at * 32)),
  );
  const freshIds = layers.reduce((sum, { open }) => sum + open.docs.idLength, 0);
  const ids = new StringsBuilder(base.idBytes.length + freshIds);
  const oldIds = { bytes: base.idBytes, starts: base.idStarts };
  const columns = emptyColumns(count);
  const bounds = new Uint32Array(partitions.length + 1);

  const copy = (from: number, at: number): void => {
    ids.copy(oldIds, from);
    columns.hashes.set(base.hashes.subarray(from * 32, from * 32 + 32), at * 32);
    columns.commit[at] = oldCommit(base.commit[from]!);
    for (const column of NAMED) columns[column][at] = oldName(base[column][from]!);
    for (const column of PLAIN) columns[column][at] = base[column][from]!;
  };
  yield* inSlices(count, (from, to) => {
    for (let at = from; at < to; at++) {
      const doc = order[at]!;
      const layer = layers.findLast(({ start }) => doc >= start);
      if (!layer) {
        copy(doc, at);
        continue;
      }
      const fresh = layer.open.docs.at(doc - layer.start);
      ids.add(fresh.id);
      writeDoc(fresh, columns, at, names, commits);
    }
  });
  for (const [at, { count: own }] of partitions.entries()) bounds[at + 1] = bounds[at]! + own;
  const ending: number[] = [];
  columns.expires.forEach((time, at) => {
    if (time !== Number.POSITIVE_INFINITY) ending.push(at);
  });

  const { bytes: idBytes, starts: idStarts } = ids.done();
  return {
    ...columns,
    ending: Uint32Array.from(ending),
    bounds,
    uses: countUses({ ...columns, bounds }, NONE),
    idBytes,
    idStarts,
    hashTable: hashTableOf(columns.hashes),
    ...chainsOf(columns.saying),
    commits: commits.bytes(),
    names: names.all,
    partitions: partitions.map(({ scope, sensitivity, length }) => ({ scope, sensitivity, length })),
  };
}

/** Old numbers to new ones, found when first needed: what nobody uses any more goes. */
function translation(size: number, find: (at: number) => number): (at: number) => number {
  const known = new Uint32Array(size).fill(NONE);
  return (at) => {
    if (at === NONE) return NONE;
    if (known[at] === NONE) known[at] = find(at);
    return known[at]!;
  };
}
