import {
  type BranchName,
  type Hash,
  hashValue,
  isGeneratedId,
  type JsonObject,
  type MemoryId,
  PalimpsestError,
  quote,
  resolveHash,
  type Scope,
  type Timestamp,
} from "../core/base/index.js";
import {
  type Author,
  clears,
  encodeObject,
  fieldsOf,
  type Gone,
  type Kinds,
  type LedgerEvent,
  type MemoryRecord,
  mergeRecords,
  type Present,
  type Sensitivity,
  type Setter,
  type Side,
  type StateChange,
  SYSTEM,
  sensitivityOf,
  stagingOf,
  stagingRef,
  type Tip,
  type Trust,
  trustRank,
} from "../core/ledger/index.js";
import { type Context, pastOf, type Reader, recordAt } from "../repo/index.js";
import type { Ref } from "../storage/index.js";
import { type FieldSetter, goneSetter, provenance, saidRecord, setterOf } from "./provenance.js";

/** What something that waits is about, as far as it decides who may see it. */
export interface Concern {
  readonly scope: Scope;
  readonly id?: MemoryId;
  readonly sensitivity?: Sensitivity;
}

/** What is kept of a waiting item in the note of its commit: everything that callers wrote. */
export interface StagedNote {
  readonly about: readonly Concern[];
  readonly data?: JsonObject;
  readonly cost?: JsonObject;
  /** Why the gate held it back. */
  readonly verdict?: JsonObject;
}

/** One memory that would change. */
export interface StagedChange {
  readonly was: MemoryRecord | undefined;
  readonly wanted: MemoryRecord | undefined;
  /** The same as keys and hashes. */
  readonly change: StateChange;
}

/** Something that waits for a person: a commit beside the branch, on the head it was judged on. */
export interface Staged {
  readonly id: string;
  readonly branch: BranchName;
  readonly kind: string;
  readonly tip: Tip;
  readonly on: Hash;
  readonly by: Author;
  /** With how much trust it was written. */
  readonly trust: Trust;
  readonly time: Timestamp;
  readonly reason: string | undefined;
  readonly note: StagedNote;
  readonly changes: readonly StagedChange[];
}

export const parseKind = (kind: string): string => {
  if (typeof kind === "string" && /^[a-z][a-z-]{0,31}$/.test(kind)) return kind;
  throw new PalimpsestError("INVALID_NAME", "The kind of a staged item is a lower-case word.");
};

/**
 * The name of an item follows from what it says and who says it, so that the same thing waits only once. Generated
 * ids and provenance differ at every try and are left out; salted records never meet.
 */
export function stagedId(
  kind: string,
  author: Author,
  changes: readonly Wanted[],
  data: JsonObject | undefined,
): string {
  const said = changes.map(({ id, record }) => {
    const name = isGeneratedId(id) && record ? null : id;
    if (!record) return [name];
    const { origin: _, id: __, ...rest } = record;
    return [name, rest];
  });
  return hashValue("note", [kind, author.id, said, data ?? null]).slice(0, 12);
}

type Wanted = { readonly id: MemoryId; readonly record: MemoryRecord | undefined };

/**
 * The item under which the same thing waits already, where its name cannot tell: a name that followed from a private text
 * would let others guess it.
 */
export async function sameWaiting(
  context: Context,
  kind: string,
  changes: readonly Wanted[],
): Promise<string | undefined> {
  if (!changes.some(({ record }) => record?.salt !== undefined)) return undefined;
  const asked = unsaltedId(context.author, kind, changes);
  const items = await stagedItems(context);
  return items.find(
    (item) =>
      item.kind === kind &&
      item.by.id === context.author.id &&
      asked ===
        unsaltedId(
          context.author,
          kind,
          item.changes.map(({ was, wanted }) => ({ id: (wanted ?? was)?.id as MemoryId, record: wanted })),
        ),
  )?.id;
}

/** Of several changes of one memory the last counts. */
function unsaltedId(author: Author, kind: string, changes: readonly Wanted[]): string {
  const last = new Map(changes.map((change) => [change.id, change]));
  const plain = [...last.values()].map(({ id, record }) => {
    if (!record) return { id, record };
    const { salt: _, ...rest } = record;
    return { id, record: rest as MemoryRecord };
  });
  return stagedId(kind, author, plain, undefined);
}

/** Everything that waits beside a branch and that the session may see, oldest first. */
export async function stagedItems(context: Context, refs?: ReadonlyMap<string, Ref>): Promise<Staged[]> {
  const { reader } = context.engine;
  const items: Staged[] = [];
  const prefix = stagingOf(context.branch);
  for (const [name, { target, meta }] of refs ?? (await reader.storage.refs(prefix))) {
    const item = await stagedAt(reader, target);
    if (item && isSeen(context, item))
      items.push({
        ...item,
        branch: context.branch,
        id: name.slice(prefix.length),
        kind: String(meta?.kind ?? "unknown"),
      });
  }
  return items.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.id < b.id ? -1 : 1));
}

/**
 * The item meant by its id, or by its first 7 or more characters. What the session may not see is as absent. `refs` are
 * those of a draft, in which somebody may just have decided about it.
 */
export async function findStaged(
  context: Context,
  given: string,
  refs?: ReadonlyMap<string, Ref>,
): Promise<Staged> {
  const items = await stagedItems(context, refs);
  const id = resolveHash(
    given,
    items.map((item) => item.id),
  );
  const found = items.find((item) => item.id === id);
  if (found) return found;
  throw nothingWaits(given);
}

/** The same for the person who decides about it: by its whole id, so that what was decided is not taken for a part of another. */
export async function requireStaged(
  context: Context,
  given: string,
  refs?: ReadonlyMap<string, Ref>,
): Promise<Staged> {
  const found = (await stagedItems(context, refs)).find(({ id }) => id === given);
  if (found) return found;
  throw nothingWaits(given);
}

/** What waits because somebody else has to decide, the agent that wrote it does not decide. */
const NEEDS_ANOTHER = new Set(["quarantined", "promotion"]);

export const isOwnDecision = (
  { author, trust }: Context,
  { kind, by, changes }: Pick<Staged, "kind" | "by" | "changes">,
): boolean =>
  by.id === author.id &&
  trustRank(trust) < trustRank("user") &&
  NEEDS_ANOTHER.has(kind) &&
  changes.length > 0;

const nothingWaits = (given: string): PalimpsestError =>
  new PalimpsestError("NOT_FOUND", `Nothing that waits is called ${quote(given)}.`, {
    hint: "See `pal review`; what is decided is named by its whole id.",
  });

/** May a session know of what waits, or waited, at this commit? */
export async function seesStaged(context: Context, commit: Hash): Promise<boolean> {
  const { reader } = context.engine;
  const item = await stagedAt(reader, commit);
  return item !== undefined && isSeen(context, item);
}

/** May it go unseen? What cannot be read any more is no loss. */
export async function mayDropStaged(context: Context, commit: Hash): Promise<boolean> {
  const { reader } = context.engine;
  const item = await stagedAt(reader, commit);
  return item === undefined || item.note.about.length + item.changes.length === 0 || isSeen(context, item);
}

export const refOfStaged = ({ branch, id }: Pick<Staged, "branch" | "id">): string => stagingRef(branch, id);

async function stagedAt(reader: Reader, target: Hash): Promise<Staged | undefined> {
  // What cannot be read is left out, and noted as damaged, so that nobody takes it for nothing.
  const commit = await read(reader, "commit", target);
  const on = commit?.parents[0];
  if (!commit || on === undefined) return undefined;
  const changeset = await read(reader, "changeset", commit.changeset);
  if (!changeset) return undefined;
  const note = commit.note && (await reader.values("note", [commit.note])).get(commit.note);
  const { events } = changeset;
  const changes: StagedChange[] = [];
  for (const change of joined(events)) {
    const { before, after } = change;
    const [was, wanted] = [await readIfWhole(reader, before), await readIfWhole(reader, after)];
    const lost = before && !was ? before : after && !wanted ? after : undefined;
    if (lost) {
      // Of what was erased there is nothing left to decide.
      await reader.missed(lost);
      return undefined;
    }
    changes.push({ was, wanted, change });
  }
  const staged = note?.meta?.staged as (StagedNote & { readonly trust?: Trust }) | undefined;
  return {
    id: "",
    kind: "",
    branch: commit.branch,
    tip: { hash: target, commit },
    on,
    by: commit.author,
    trust: changes.find(({ wanted }) => wanted)?.wanted?.origin.trust ?? staged?.trust ?? "external",
    time: commit.time,
    reason: note?.message,
    note: staged ?? { about: [] },
    changes,
  };
}

async function read<K extends keyof Kinds>(
  reader: Reader,
  kind: K,
  hash: Hash,
): Promise<Kinds[K] | undefined> {
  const found = (await reader.values(kind, [hash])).get(hash);
  if (!found) await reader.missed(hash);
  return found;
}

/** Several events of one memory as one. */
function joined(events: readonly LedgerEvent[]): Iterable<StateChange> {
  const keys = new Map<string, StateChange>();
  for (const { scope, id, before, after } of events) {
    const key = scope + id;
    const start = keys.has(key) ? keys.get(key)?.before : before;
    keys.set(key, { scope, id, ...(start && { before: start }), ...(after && { after }) });
  }
  return [...keys.values()].filter(({ before, after }) => before !== after);
}

/** Only a session that may see everything in it: what it says in words may speak of all of it. */
function isSeen({ sight }: Context, { note, changes }: Staged): boolean {
  const concerned = note.about.length + changes.length > 0;
  return (
    concerned &&
    note.about.every(
      ({ scope, sensitivity }) => sight.sees(scope) && clears(sight.clearance, sensitivity ?? "normal"),
    ) &&
    changes.every(({ was, wanted }) =>
      [was, wanted].every((record) => record === undefined || sight.seesRecord(record)),
    )
  );
}

export const concernOf = (record: MemoryRecord): Concern => ({
  scope: record.scope,
  id: record.id,
  ...(sensitivityOf(record) !== "normal" && { sensitivity: sensitivityOf(record) }),
});

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
  // No commit holds this version: each field was set by the author who set it on a side that has it.
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
