import {
  type Hash,
  hashBytes,
  idKey,
  isCompleteId,
  type MemoryId,
  PalimpsestError,
  parseId,
  parseScope,
  quote,
  type Scope,
  scopeKey,
  topicId,
} from "../core/base/index.js";
import { decodeObject, type MemoryRecord } from "../core/ledger/index.js";
import {
  assertNotErased,
  byOrder,
  type Context,
  type Fate,
  type GoneBefore,
  type Key,
  notFound,
  outlived,
} from "../repo/index.js";
import type { Storage } from "../storage/index.js";
import type { EraseTarget } from "./options.js";

/** One version of a memory that is to go. */
export interface Doomed {
  readonly hash: Hash;
  readonly record: MemoryRecord;
  readonly by: FoundBy;
}

/**
 * Every stored version of what is meant, reachable or not. Whole ids of what cannot have moved are looked up in the touch
 * rows, which also tell of commits that nothing leads to; for anything else all records are searched, once, and later only
 * what was written since.
 */
export class EraseSearch {
  readonly #storage: Storage;
  readonly #context: Context;
  readonly #target: EraseTarget;
  readonly #names: Names;
  readonly #candidates = new Map<string, Candidate>();
  #seq = 0;
  /** Those that were found, once more of them is looked for than the touch rows name. */
  #rest: ReadonlyMap<string, FoundBy> | undefined;
  #found: readonly Doomed[] = [];
  readonly #ids: readonly string[];
  #needles: readonly Buffer[];

  constructor(storage: Storage, context: Context, target: EraseTarget, names: Names) {
    this.#names = names;
    this.#storage = storage;
    this.#context = context;
    this.#target = target;
    const { ids = [], memories = [] } = target;
    this.#ids = [...ids, ...memories.map(({ id }) => id)];
    const { containing, derived } = target;
    this.#needles = [
      ...[...this.#ids, ...(containing === undefined ? [] : [containing])].map(insideJson),
      ...(derived ? LINKS : []),
    ];
  }

  /** Some record with such an id is still there: were there versions that the touch rows have lost? */
  async findLost(): Promise<Doomed[]> {
    if (this.#found.length === 0) return [];
    this.#rest = new Map(this.#found.map(({ record, by }) => [nameOf(record), by]));
    this.#needles = [...new Set(this.#found.map(({ record }) => record.id))].map(insideJson);
    this.#seq = 0;
    return this.find();
  }

  async find(): Promise<Doomed[]> {
    const doomed = (this.#rest ? undefined : await this.#looked()) ?? (await this.#searched());
    this.#found = doomed;
    if (doomed.some(({ record }) => !this.#context.sight.seesRecord(record))) throw outOfSight();
    return doomed;
  }

  /** Undefined where touch rows do not tell which memories are meant. */
  async #looked(): Promise<Doomed[] | undefined> {
    const { ids = [], memories = [], containing, derived, scope } = this.#target;
    const { sight } = this.#context;
    if (derived || containing !== undefined || (sight.open && scope === undefined && ids.length > 0))
      return undefined;
    const scopes = (scope === undefined ? sight.named : [parseScope(scope)]).filter((one) => sight.sees(one));
    const found: Doomed[] = [];
    for (const id of new Set(ids)) {
      const there = await Promise.all(
        scopes.map((one) => this.#versionsAt({ scope: one, id: id as MemoryId })),
      );
      const [meant, ...others] = there.filter((versions) => this.#seesOne(versions));
      const [first] = meant ?? [];
      if (!meant || !first || others.length > 0) return undefined;
      if (scope === undefined && (await this.#mayHaveMoved(first.record, meant))) return undefined;
      if (await this.#names.goneBefore(id, first.record)) return undefined;
      found.push(...meant);
    }
    for (const place of memories) {
      const versions = await this.#versionsAt(place);
      if (this.#seesOne(versions)) found.push(...versions);
    }
    return found;
  }

  /** A memory of which the session sees no version is as absent for an erasure as for every other verb. */
  #seesOne(versions: readonly Doomed[]): boolean {
    return versions.some(({ record }) => this.#context.sight.seesRecord(record));
  }

  /** What came from elsewhere says so; what left was forgotten, and only the other place tells whether it moved. */
  async #mayHaveMoved({ scope, id }: MemoryRecord, versions: readonly Doomed[]): Promise<boolean> {
    if (versions.some(({ record }) => record.origin.movedFrom !== undefined)) return true;
    const rows = await this.#storage.touchOf(scopeKey(scope), idKey(id));
    return rows.some(({ record }) => record === undefined);
  }

  async #versionsAt({ scope, id }: Key): Promise<Doomed[]> {
    const rows = await this.#storage.touchOf(scopeKey(scope), idKey(id));
    return this.#whole(new Map(rows.flatMap(({ record }) => (record ? [[record, "id"]] : []))));
  }

  async #whole(found: ReadonlyMap<Hash, FoundBy>): Promise<Doomed[]> {
    const doomed: Doomed[] = [];
    for (const [hash, bytes] of await this.#storage.getMany([...found.keys()]))
      if (hashBytes("memory", bytes) === hash)
        doomed.push({ hash, record: decodeObject("memory", bytes), by: found.get(hash) as FoundBy });
    return doomed;
  }

  async #searched(): Promise<Doomed[]> {
    const needles = this.#needles;
    for await (const { hash, bytes, seq } of this.#storage.scan({
      kinds: ["memory"],
      after: this.#seq,
      containing: needles,
    })) {
      this.#seq = seq;
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      if (needles.some((needle) => content.includes(needle)) && hashBytes("memory", bytes) === hash)
        this.#consider(hash, decodeObject("memory", bytes));
    }
    const hashes = new Map<Hash, FoundBy>();
    for (const { versions, by = "derived" } of await this.#derived(await this.#named()))
      for (const hash of versions) hashes.set(hash, by);
    return this.#whole(hashes);
  }

  #consider(hash: Hash, record: MemoryRecord): void {
    const { scope, id, text, topic, origin } = record;
    const { containing } = this.#target;
    const name = nameOf(record);
    const known = this.#candidates.get(name) ?? {
      scope,
      id,
      versions: new Set(),
      topics: new Set(),
      from: new Set(),
      contains: false,
      seen: false,
    };
    this.#candidates.set(name, known);
    known.versions.add(hash);
    if (origin.movedFrom !== undefined) known.from.add(nameOf({ scope: origin.movedFrom, id }));
    // What a version out of sight says leads to nothing: else a caller could read it letter by letter.
    if (!this.#context.sight.seesRecord(record)) return;
    known.seen = true;
    if (topic !== undefined && this.#ids.includes(topic)) known.topics.add(topic);
    if (containing && text.includes(containing)) known.contains = true;
    for (const source of origin.derivedFrom ?? []) known.from.add(source);
  }

  /** Versions that say nothing of what was looked for. */
  async #addVersions({ scope, id, versions }: Candidate): Promise<void> {
    for (const { record } of await this.#storage.touchOf(scopeKey(scope), idKey(id)))
      if (record) versions.add(record);
  }

  async #named(): Promise<Set<Candidate>> {
    const named = new Set<Candidate>();
    const take = (candidate: Candidate, by: FoundBy) => {
      candidate.by ??= by;
      named.add(candidate);
    };
    const all = [...this.#candidates.values()];
    if (this.#rest) {
      for (const candidate of all) {
        const by = this.#rest.get(nameOf(candidate));
        if (by) take(candidate, by);
      }
      return named;
    }
    const seen = all.filter((candidate) => candidate.seen && this.#isSeen(candidate.scope));
    for (const id of this.#target.ids ?? []) {
      const { by, places } = await this.#resolve(id, seen);
      for (const candidate of places) take(candidate, by);
    }
    const places = new Set((this.#target.memories ?? []).map(nameOf));
    for (const candidate of seen)
      if (places.has(nameOf(candidate))) take(candidate, "id");
      else if (candidate.contains) take(candidate, "text");
    const isHidden = ({ scope }: Candidate) => !this.#context.sight.sees(scope);
    if (this.#target.scope === undefined && hasHiddenPlace(named, this.#candidates, isHidden))
      throw outOfSight();
    return named;
  }

  /**
   * By the whole id, else by the whole topic, live or not; how an id begins or ends is for looking only. One that moved
   * is in several places. A name that was erased is the name of nothing else.
   */
  async #resolve(
    idOrTopic: string,
    seen: readonly Candidate[],
  ): Promise<{ readonly by: FoundBy; readonly places: readonly Candidate[] }> {
    for await (const [by, isMeant] of this.#ways(idOrTopic, seen)) {
      // In the order in which a name is looked for.
      const meant = seen.filter(isMeant).sort((a, b) => byOrder(a.scope, b.scope));
      const [first] = meant;
      if (!first) continue;
      const places = placesOf(first, seen);
      const before = await this.#names.goneBefore(idOrTopic, first);
      if (before?.fate === "erased") throw outlived(idOrTopic, before, first);
      const isClear = before === undefined || places.some(({ scope }) => scope === before.scope);
      if (isClear && meant.every((one) => places.includes(one))) return { by, places };
      throw new PalimpsestError("AMBIGUOUS", `${quote(idOrTopic)} may be one of several memories.`, {
        hint: "Give the whole id, and the scope if it is in several.",
        data: { candidates: meant.map(({ scope, id }) => ({ scope, id })) },
      });
    }
    parseId(idOrTopic);
    throw notFound(idOrTopic, ", now or before", [
      ...new Set(seen.filter(hasPart(idOrTopic)).map(({ id }) => id)),
    ]);
  }

  async *#ways(
    idOrTopic: string,
    seen: readonly Candidate[],
  ): AsyncGenerator<readonly [FoundBy, (one: Candidate) => boolean]> {
    yield ["id", ({ id }) => id === idOrTopic];
    assertNotErased(idOrTopic, await this.#names.fateOfId(idOrTopic));
    if (isCompleteId(idOrTopic) || !idOrTopic.isWellFormed()) return;
    yield ["topic", await this.#isHolder(idOrTopic)];
    yield ["topic", ({ id }) => id === topicId(idOrTopic)];
    const others = await this.#formerHolders(idOrTopic, seen);
    yield ["topic", (one) => others.has(one)];
    if (this.#names.byPart) yield ["part", hasPart(idOrTopic)];
  }

  /** Those that ended under this topic, and not those that live under another by now. */
  async #formerHolders(topic: string, seen: readonly Candidate[]): Promise<ReadonlySet<Candidate>> {
    const ended = new Set<Candidate>();
    for (const one of seen) if (one.topics.has(topic) && !(await this.#names.isLive(one))) ended.add(one);
    return ended;
  }

  async #isHolder(topic: string): Promise<(one: Candidate) => boolean> {
    const holder = await this.#names.holder(topic);
    return (one) => holder !== undefined && nameOf(one) === nameOf(holder);
  }

  #isSeen(scope: Scope): boolean {
    const only = this.#target.scope;
    return this.#context.sight.sees(scope) && (only === undefined || parseScope(only) === scope);
  }

  /** Until nothing more is found that came from what is found. */
  async #derived(found: Set<Candidate>): Promise<Set<Candidate>> {
    const sources = new Set<string>();
    for (const candidate of found) {
      await this.#addVersions(candidate);
      if (!this.#target.derived) continue;
      for (const source of [nameOf(candidate), ...candidate.versions]) sources.add(source);
      // A set goes on with what is added to it on the way.
      for (const other of this.#candidates.values())
        if (other.seen && [...other.from].some((source) => sources.has(source))) found.add(other);
    }
    return found;
  }
}

const outOfSight = () =>
  new PalimpsestError("REFUSED", "Something of it is out of this session's sight; nothing was erased.", {
    hint: "Use a session that sees all of it: --clearance confidential, or every scope it was in.",
  });

/** What led to a memory: its whole id, its topic, a part of its id, what it says, or another that it was made from. */
export type FoundBy = "id" | "topic" | "part" | "text" | "derived";

/** What is kept of a memory while all are looked at: not its texts, because a store may be bigger than memory. */
interface Candidate {
  readonly scope: Scope;
  readonly id: MemoryId;
  readonly versions: Set<Hash>;
  readonly topics: Set<string>;
  readonly from: Set<string>;
  contains: boolean;
  /** Does the session see any version of it? */
  seen: boolean;
  by?: FoundBy;
}

/** One place of a memory. */
export const nameOf = ({ scope, id }: { readonly scope: Scope; readonly id: MemoryId }): string =>
  `${scope}\n${id}`;

/** All places of a memory that moved between them. */
function placesOf(first: Candidate, seen: readonly Candidate[]): readonly Candidate[] {
  const places = [first];
  // A list goes on with what is added to it on the way.
  for (const place of places)
    for (const other of seen)
      if (!places.includes(other) && (cameFrom(other, place) || cameFrom(place, other))) places.push(other);
  return places;
}

const cameFrom = (one: Candidate, other: Candidate): boolean =>
  one.id === other.id && one.from.has(nameOf(other));

/** Did one of them move from or to a place that is hidden? */
function hasHiddenPlace(
  named: ReadonlySet<Candidate>,
  all: ReadonlyMap<string, Candidate>,
  isHidden: (one: Candidate) => boolean,
): boolean {
  const before = ({ from }: Candidate) => [...from].flatMap((name) => all.get(name) ?? []);
  return [...all.values()].some((one) =>
    before(one).some((other) => (named.has(one) && isHidden(other)) || (isHidden(one) && named.has(other))),
  );
}

/** How names are understood, and what is known of them beside the records. */
interface Names {
  /** Is a part of an id enough? To see what would go, never to erase it. */
  readonly byPart: boolean;
  /** The same one whenever it is asked, so that what is erased is what was found first, even if another memory takes the topic over. */
  holder(topic: string): Promise<Key | undefined>;
  fateOfId(idOrTopic: string): Promise<Fate | undefined>;
  isLive(key: Key): Promise<boolean>;
  /** Where, before the scope of this one, another of that name was, if no scope was named. */
  goneBefore(idOrTopic: string, found: Key): Promise<GoneBefore | undefined>;
}

/** Does its id begin or end so? */
const hasPart =
  (idOrTopic: string) =>
  ({ id }: Candidate): boolean =>
    idOrTopic.length >= 6 && (id.startsWith(idOrTopic) || id.endsWith(idOrTopic));

/** How records say that they were made from others. */
const LINKS = ['"derivedFrom":', '"movedFrom":'].map((name) => Buffer.from(name));

/** As it stands in the JSON of a record. */
const insideJson = (text: string): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1));
