import type { Hash, Timestamp } from "../core/base/index.js";
import {
  type Author,
  asSaid,
  fieldsAside,
  fieldsOf,
  type MemoryRecord,
  readContestedField,
  type Setter,
  type Tip,
  type Touch,
  type Trust,
  trustRank,
} from "../core/ledger/index.js";
import { pastOf, type Reader, type Version } from "../repo/index.js";

/** Who gave a field the value it has, when, and in which commit. */
export interface FieldSetter extends Setter {
  readonly commit: Hash;
  readonly time: Timestamp;
}

export type Provenance = ReadonlyMap<string, FieldSetter>;

/**
 * For every field of a memory as it is at a commit: the commit that gave it its value, followed through merges. Where
 * both sides of a merge had the value already, the setter that counts more is named, so that no side decides.
 */
export async function provenance(
  reader: Reader,
  tip: Tip,
  scope: Hash,
  id: Hash,
): Promise<Provenance | undefined> {
  const { last, versions } = await pastOf(reader, tip, scope, id);
  if (last[0]?.record === undefined) return undefined;
  const records = new Map<Hash, MemoryRecord>();
  const hashes = versions.flatMap(({ row }) => row.record ?? []);
  for (const [hash, record] of await reader.values("memory", hashes))
    records.set(hash, await saidRecord(reader, record));
  const known = new Map<Touch, Map<string, FieldSetter>>();
  for (const version of versions.toReversed()) known.set(version.row, settersOf(version, records, known));
  const setters = new Map<string, FieldSetter>();
  for (const row of last)
    for (const [field, setter] of known.get(row) ?? []) {
      const other = setters.get(field);
      setters.set(field, other ? stronger(other, setter) : setter);
    }
  return setters;
}

/** Who took away what is not there at a commit, followed through merges; undefined if it never was there. */
export async function goneSetter(
  reader: Reader,
  tip: Tip,
  scope: Hash,
  id: Hash,
): Promise<FieldSetter | undefined> {
  const { last, versions } = await pastOf(reader, tip, scope, id);
  const known = new Map<Touch, FieldSetter>();
  for (const { row, before } of versions.toReversed()) {
    const { record, commit, author, time } = row;
    if (record !== undefined) continue;
    const same = before.flatMap((prior) => known.get(prior) ?? []);
    known.set(
      row,
      same.length > 0 ? same.reduce(stronger) : { commit, author, trust: trustOf(author), time },
    );
  }
  const setters = last.flatMap((row) => known.get(row) ?? []);
  return setters.length > 0 ? setters.reduce(stronger) : undefined;
}

/** The setter of everything that was never set: who made the memory. */
const MAKER = "";

export const setterOf = (setters: Provenance, field: string): FieldSetter =>
  (setters.get(field) ?? setters.get(MAKER)) as FieldSetter;

function settersOf(
  { row, before }: Version,
  records: ReadonlyMap<Hash, MemoryRecord>,
  known: ReadonlyMap<Touch, ReadonlyMap<string, FieldSetter>>,
): Map<string, FieldSetter> {
  const setters = new Map<string, FieldSetter>();
  const record = row.record && records.get(row.record);
  if (!record) return setters;
  const { commit, author, time } = row;
  const here: FieldSetter = { commit, author, trust: record.origin.trust, time };
  const priors = before.flatMap((prior) => {
    const was = prior.record && records.get(prior.record);
    return was ? [{ was, setters: known.get(prior) as ReadonlyMap<string, FieldSetter> }] : [];
  });
  const inherit = (field: string, from: typeof priors) => {
    const found = from.flatMap(({ setters: theirs }) => theirs.get(field) ?? []);
    if (found.length > 0) setters.set(field, found.reduce(stronger));
  };
  if (priors.length === 0) setters.set(MAKER, here);
  else inherit(MAKER, priors);
  for (const field of [...fieldsOf(record, ...priors.map(({ was }) => was)), "*"]) {
    const value = readContestedField(record, field);
    const same = priors.filter(({ was }) => readContestedField(was, field) === value);
    if (same.length > 0) inherit(field, same);
    else if (value !== undefined || priors.length > 0) setters.set(field, here);
  }
  return setters;
}

/** Higher trust, then the later commit, then the smaller hash: as the merge of records prefers. */
export function stronger<T extends FieldSetter>(a: T, b: T): T {
  const trust = trustRank(a.trust) - trustRank(b.trust);
  if (trust !== 0) return trust > 0 ? a : b;
  if (a.time !== b.time) return a.time > b.time ? a : b;
  return a.commit <= b.commit ? a : b;
}

/** The trust that somebody's own deed has, where no record tells it. */
export const trustOf = (author: Author): Trust =>
  author.kind === "user" || author.kind === "operator"
    ? author.kind
    : author.kind === "system"
      ? "external"
      : "agent";

/** A record with what was said of it in the place of what could not stand. */
export async function saidRecord(reader: Reader, record: MemoryRecord): Promise<MemoryRecord> {
  const fields = fieldsAside(record);
  if (fields.length === 0) return record;
  const terms = fields.flatMap((field) => record.contested?.[field]?.terms ?? []);
  const commits = await reader.values(
    "commit",
    terms.flatMap(({ commit }) => commit ?? []),
  );
  return asSaid(record, (commit: Hash) => commits.get(commit)?.time as Timestamp);
}
