import { HashList, hashFromBytes } from "../core/base/index.js";
import { emptyColumns, NAMED, Names, PLAIN, writeDoc } from "./directory-columns.js";
import { type Frozen, hashTableOf, NONE } from "./frozen.js";
import type { Layer } from "./open.js";
import type { Partition } from "./partition.js";
import { chainsOf } from "./saying.js";
import { inSlices } from "./slices.js";
import { StringsBuilder } from "./strings.js";
import { countUses } from "./uses.js";

/** The directory of the memories in their new order. What was frozen is copied as numbers, never made into objects. */
export function* freezeDirectory(
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
