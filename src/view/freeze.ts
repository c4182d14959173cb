import type { MemoryId } from "../base/index.js";
import { byCodeUnit } from "../ledger/index.js";
import { freezeDirectory } from "./freeze-directory.js";
import { freezeIndex } from "./freeze-index.js";
import { type Frozen, idAt, inRam, partitionAt, sizeOf } from "./frozen.js";
import type { Live } from "./live.js";
import type { Layer } from "./open.js";
import { byPartition, type Partition } from "./partition.js";
import { inSlices, type Steps } from "./slices.js";
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
  const order = yield* liveInOrder(base, layers, places, isDead);
  const frozen = inRam({
    ...(yield* freezeDirectory(base, layers, order, sorted)),
    ...(yield* freezeIndex(base, layers, order)),
    ...NO_TURNS,
  });
  return inRam({ ...frozen, ...(yield* turnsOf(frozen)) });
}

function* liveInOrder(
  base: Frozen,
  layers: readonly Layer[],
  places: readonly number[],
  isDead: (doc: number) => boolean,
): Steps<Live[]> {
  const old: Live[] = [];
  yield* inSlices(sizeOf(base), (from, to) => {
    for (let doc = from; doc < to; doc++)
      if (!isDead(doc))
        old.push({ doc, place: places[partitionAt(base, doc)]!, created: base.created[doc]!, id: undefined });
  });
  const fresh: Live[] = [];
  for (const { open, start, size } of layers)
    for (let at = 0; at < size; at++)
      if (!isDead(start + at)) {
        const { created, id } = open.docs[at]!;
        fresh.push({ doc: start + at, place: places[open.partitions[at]!]!, created, id });
      }
  const idOf = (live: Live): MemoryId => {
    live.id ??= idAt(base, live.doc);
    return live.id;
  };
  const compare = (a: Live, b: Live): number =>
    a.place - b.place || a.created - b.created || byCodeUnit(idOf(a), idOf(b));
  yield;
  fresh.sort(compare);
  yield;
  return merged(old, fresh, compare);
}

function merged<T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): T[] {
  const all: T[] = [];
  let j = 0;
  for (const item of a) {
    while (j < b.length && compare(b[j]!, item) < 0) all.push(b[j++]!);
    all.push(item);
  }
  while (j < b.length) all.push(b[j++]!);
  return all;
}
