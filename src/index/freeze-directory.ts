import { type Hash, hashFromBytes, hashToBytes } from "../core/base/index.js";
import type { Doc } from "./document.js";
import { authorName, type Frozen, hashTableOf, NONE } from "./frozen.js";
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
  const names = numbered<string>();
  const commits = numbered<Hash>();
  const oldName = translation(base.names.length, (at) => names.of(base.names[at]));
  const oldCommit = translation(base.commits.length / 32, (at) =>
    commits.of(hashFromBytes(base.commits, at * 32)),
  );
  const freshIds = layers.reduce(
    (sum, { open }) => open.docs.reduce((own, { id }) => own + id.length, sum),
    0,
  );
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
  const write = (doc: Doc, at: number): void => {
    ids.add(doc.id);
    columns.hashes.set(hashToBytes(doc.hash), at * 32);
    columns.commit[at] = commits.of(doc.commit);
    columns.author[at] = names.of(authorName(doc.author));
    columns.session[at] = names.of(doc.session);
    columns.speaker[at] = names.of(doc.speaker);
    columns.role[at] = names.of(doc.role);
    columns.language[at] = names.of(doc.language);
    for (const column of PLAIN) columns[column][at] = doc[column] ?? Number.NaN;
  };
  yield* inSlices(count, (from, to) => {
    for (let at = from; at < to; at++) {
      const doc = order[at]!;
      const layer = layers.findLast(({ start }) => doc >= start);
      if (layer) write(layer.open.docs[doc - layer.start]!, at);
      else copy(doc, at);
    }
  });
  for (const [at, { count: own }] of partitions.entries()) bounds[at + 1] = bounds[at]! + own;
  const ending: number[] = [];
  columns.expires.forEach((time, at) => {
    if (time !== Number.POSITIVE_INFINITY) ending.push(at);
  });

  const { bytes: idBytes, starts: idStarts } = ids.done();
  const commitBytes = new Uint8Array(commits.all.length * 32);
  for (const [at, hash] of commits.all.entries()) commitBytes.set(hashToBytes(hash), at * 32);
  return {
    ...columns,
    ending: Uint32Array.from(ending),
    bounds,
    uses: countUses({ ...columns, bounds }, NONE),
    idBytes,
    idStarts,
    hashTable: hashTableOf(columns.hashes),
    ...chainsOf(columns.saying),
    commits: commitBytes,
    names: names.all,
    partitions: partitions.map(({ scope, sensitivity, length }) => ({ scope, sensitivity, length })),
  };
}

const NAMED = ["author", "session", "speaker", "role", "language"] as const;
const PLAIN = [
  "version",
  "created",
  "updated",
  "expires",
  "turn",
  "said",
  "traits",
  "confidence",
  "length",
  "saying",
] as const satisfies readonly (keyof Doc)[];

const emptyColumns = (count: number) => ({
  hashes: new Uint8Array(count * 32),
  version: new Uint32Array(count),
  created: new Float64Array(count),
  updated: new Float64Array(count),
  commit: new Uint32Array(count),
  author: new Uint32Array(count),
  expires: new Float64Array(count),
  session: new Uint32Array(count),
  turn: new Float64Array(count),
  speaker: new Uint32Array(count),
  role: new Uint32Array(count),
  said: new Float64Array(count),
  language: new Uint32Array(count),
  traits: new Uint8Array(count),
  confidence: new Float32Array(count),
  length: new Uint32Array(count),
  saying: new Uint32Array(count),
});

/** Gives each value a number, the same when it comes again. */
function numbered<T extends string>() {
  const numbers = new Map<T, number>();
  const all: T[] = [];
  const of = (value: T | undefined): number => {
    if (value === undefined) return NONE;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, all.length);
    return all.push(value) - 1;
  };
  return { all, of };
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
