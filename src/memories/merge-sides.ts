import type { Hash, Timestamp } from "../core/base/index.js";
import {
  encodeObject,
  fieldsOf,
  type Gone,
  type MemoryRecord,
  mergeRecords,
  type Present,
  type Setter,
  type Side,
  SYSTEM,
  type Tip,
} from "../core/ledger/index.js";
import type { Reader } from "../repo/index.js";
import { pastOf, recordAt } from "../repo/index.js";
import { type FieldSetter, goneSetter, provenance, setterOf } from "./provenance.js";
import { saidRecord } from "./said.js";

/** A record that can be read; what was erased or damaged is as absent for a merge. */
export async function readIfWhole(reader: Reader, hash: Hash | undefined): Promise<MemoryRecord | undefined> {
  return hash === undefined ? undefined : (await reader.values("memory", [hash])).get(hash);
}

/** What was said of a memory up to a commit, with who set which of its fields. */
export async function presentAt(
  reader: Reader,
  tip: Tip,
  scope: Hash,
  id: Hash,
): Promise<Present | undefined> {
  const hash = await recordAt(reader, tip, scope, id);
  const stored = await readIfWhole(reader, hash);
  if (hash === undefined || !stored) return undefined;
  const record = await saidRecord(reader, stored);
  const setters = (await provenance(reader, tip, scope, id)) ?? new Map<string, FieldSetter>();
  return {
    record,
    hash: record === stored ? hash : encodeObject("memory", record).hash,
    setBy: (field) => setterFrom(setterOf(setters, field)),
  };
}

const setterFrom = ({ commit, author, trust }: FieldSetter): Setter => ({ commit, author, trust });

/** Who took a memory away that is not there at a commit; undefined if it never was. */
async function goneAt(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Gone | undefined> {
  const setter = await goneSetter(reader, tip, scope, id);
  return setter && { goneBy: setterFrom(setter) };
}

export async function sideAt(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Side> {
  return (await presentAt(reader, tip, scope, id)) ?? (await goneAt(reader, tip, scope, id));
}

/**
 * What several youngest common ancestors have in common: their own merge, one after the other in the order of
 * (generation, hash), so that it does not matter which side asks.
 */
export async function joinedBase(
  reader: Reader,
  bases: readonly Tip[],
  scope: Hash,
  id: Hash,
): Promise<Present | undefined> {
  const [first, ...others] = bases as readonly [Tip, ...Tip[]];
  let made: Side = await sideAt(reader, first, scope, id);
  for (const [at, next] of others.entries()) {
    const other = await sideAt(reader, next, scope, id);
    const below = await reader.lineage.bases(bases.slice(0, at + 1), [next]);
    made = await mergeSides(reader, await joinedBase(reader, below, scope, id), made, other);
  }
  return asPresent(made);
}

const asPresent = (side: Side): Present | undefined => (side && "record" in side ? side : undefined);
const hashOf = (side: Side): Hash | undefined => asPresent(side)?.hash;

async function mergeSides(reader: Reader, base: Present | undefined, one: Side, other: Side): Promise<Side> {
  if (hashOf(other) === base?.hash) return one;
  if (hashOf(one) === base?.hash) return other;
  const { record } = await mergeThree(reader, base, one, other);
  // No commit holds this version: each field was set by whoever set it on a side that has it.
  const setBy = (field: string): Setter =>
    [one, other].flatMap((side) => asPresent(side)?.setBy(field) ?? [])[0] ?? {
      author: SYSTEM,
      trust: "external",
    };
  return record && { record, hash: encodeObject("memory", record).hash, setBy };
}

export async function mergeThree(reader: Reader, base: Present | undefined, ours: Side, theirs: Side) {
  const times = await termTimes(reader, [base, ours, theirs]);
  return mergeRecords({ base, ours, theirs, timeOf: (commit) => times.get(commit) as Timestamp });
}

/** When the commits that may be named in a conflict were made, so that the pure merge need not ask. */
async function termTimes(reader: Reader, sides: readonly Side[]): Promise<Map<Hash, Timestamp>> {
  const present = sides.flatMap((side) => asPresent(side) ?? []);
  const fields = [...fieldsOf(...present.map(({ record }) => record)), "*"];
  const terms = [
    ...sides.flatMap((side) => (side && "goneBy" in side ? [side.goneBy] : [])),
    ...present.flatMap(({ setBy }) => fields.map(setBy)),
    ...present.flatMap(({ record }) => Object.values(record.contested ?? {}).flatMap((open) => open.terms)),
  ];
  const commits = new Set(terms.flatMap(({ commit }) => commit ?? []));
  const found = await reader.values("commit", [...commits]);
  return new Map([...found].map(([hash, { time }]) => [hash, time]));
}

/** Where a memory was taken away before the lines parted, what it was then is what both go back to. */
export async function deletedVersion(
  reader: Reader,
  tip: Tip,
  scope: Hash,
  id: Hash,
): Promise<Present | undefined> {
  const { versions } = await pastOf(reader, tip, scope, id);
  const last = versions.find(({ row }) => row.record !== undefined)?.row;
  return last && presentAt(reader, await reader.tip(last.commit), scope, id);
}
