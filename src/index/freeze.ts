import type { MemoryId } from "../core/base/index.js";
import { byCodeUnit } from "../core/ledger/index.js";
import { freezeDirectory } from "./freeze-directory.js";
import { freezeIndex } from "./freeze-index.js";
import { type Frozen, idAt, inRam, partitionAt, sizeOf } from "./frozen.js";
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
