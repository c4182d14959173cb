import {
  type BranchName,
  type Hash,
  idKey,
  type JsonObject,
  type MemoryId,
  type Scope,
  scopeKey,
  type Timestamp,
} from "../../core/base/index.js";
import {
  type Author,
  type Counters,
  type Encoded,
  encodeObject,
  type LedgerEvent,
  type MemoryRecord,
  type Op,
  type Sensitivity,
  stagingOf,
  stagingRef,
  type Tip,
} from "../../core/ledger/index.js";
import type { Ref, RefMove, Transaction } from "../../storage/index.js";
import type { Entry } from "../read/entries.js";
import type { Reader } from "../read/reader.js";
import type { CommitInfo } from "./commit-info.js";
import { type Aside, type Built, noteOf, type PendingEvent, Sealing } from "./sealing.js";
import { type Use, usesOf } from "./uses.js";
import { waitingOf } from "./waiting.js";
import { countersOf, Surroundings, WorkingState } from "./working-state.js";

/** What waits for a person instead of going into the branch. */
export interface Held {
  /** The name of the item it becomes. */
  readonly id: string;
  /** What memories would become; without a record they would be forgotten. */
  readonly changes: readonly {
    readonly scope: Scope;
    readonly id: MemoryId;
    readonly record: MemoryRecord | undefined;
  }[];
  readonly info: CommitInfo;
  /** What is said of the item beside its commit. */
  readonly meta: JsonObject;
}

/** What one job did so far. */
class Unsealed {
  readonly events: (PendingEvent & { readonly id: MemoryId })[] = [];
  readonly objects: Encoded[] = [];
  readonly joined: Tip[] = [];
  /** Refs that move with the head. */
  readonly moves: RefMove[] = [];
  /** Refs that move also when nothing is committed. */
  readonly free: RefMove[] = [];
  readonly held: Held[] = [];
  readonly uses: Use[] = [];
  readonly reasons: string[] = [];
  forward: Tip | undefined;
  meta: JsonObject | undefined;
}

/**
 * A state under construction: a head and the writes queued on top of it. Each job of a batch sees what the jobs
 * before it wrote; sealing a job makes its commit.
 */
export class Draft {
  readonly reader: Reader;
  readonly branch: BranchName;
  readonly now: Timestamp;
  readonly start: Tip;
  /** What the gate compares a write of this draft with. */
  surroundings: Surroundings;

  #state: WorkingState;
  #job = new Unsealed();
  readonly #sealing: Sealing;
  readonly #heard: Use[] = [];
  readonly #waiting = new Map<string, Promise<Set<string>>>();
  readonly #epoch: number;

  constructor(reader: Reader, branch: BranchName, tip: Tip, now: Timestamp) {
    this.reader = reader;
    this.#epoch = reader.epoch;
    this.branch = branch;
    this.start = tip;
    this.surroundings = new Surroundings(reader, branch, tip);
    this.#state = new WorkingState(reader, tip);
    // The time of every commit made here, which never lies before its parent's.
    this.now = now > tip.commit.time ? now : tip.commit.time;
    this.#sealing = new Sealing(reader, branch, tip, this.now);
  }

  /** The last commit made here, or the head it started from. */
  get tip(): Tip {
    return this.#sealing.tip;
  }

  /** What is live under this key, the writes of this draft included. Visibility is the caller's concern. */
  entry(scope: Scope, id: MemoryId): Promise<Entry | undefined> {
    return this.#state.entry(scope, id);
  }

  /** What the counters of a key stand at, also where it was forgotten. */
  counters(scope: Scope, id: MemoryId): Promise<Counters | undefined> {
    return this.#state.counters(scope, id);
  }

  /** Live children of a record, in no particular order. */
  children(scope: Scope, parent: MemoryId): Promise<ReadonlyMap<MemoryId, Entry>> {
    return this.#state.children(scope, parent);
  }

  /** The place of the last child that a clearance sees, `id` left out of account. */
  lastPlace(
    scope: Scope,
    parent: MemoryId,
    clearance: Sensitivity,
    id: MemoryId,
  ): Promise<string | undefined> {
    return this.#state.lastPlace(scope, parent, clearance, id);
  }

  /** The live holder of a topic, whatever its id. */
  topicHolder(scope: Scope, topic: string): Promise<Entry | undefined> {
    return this.#state.topicHolder(scope, topic);
  }

  /** Writes a record under an id that was just generated, so that nothing can be there. */
  add(op: Op, record: MemoryRecord, author: Author): Entry {
    return this.#enter(op, record, author, undefined, undefined, undefined, this.now);
  }

  /** Writes a record. `from` are the counters it goes on from, when it comes from elsewhere. */
  async write(op: Op, record: MemoryRecord, author: Author, from?: Counters): Promise<Entry> {
    const { scope, id } = record;
    const before = await this.entry(scope, id);
    const prior = from ?? (await this.#state.counters(scope, id));
    const held = before?.hash ?? (await this.#state.erasedHash(scope, id));
    const isOlder = before !== undefined || this.#job.joined.length > 0;
    const created = (isOlder ? (from ?? before)?.created : undefined) ?? this.now;
    return this.#enter(op, record, author, before, held, prior, created);
  }

  #enter(
    op: Op,
    record: MemoryRecord,
    author: Author,
    before: Entry | undefined,
    held: Hash | undefined,
    prior: Counters | undefined,
    created: Timestamp,
  ): Entry {
    const object = encodeObject("memory", record);
    const { hash } = object;
    const [id, scope] = [idKey(record.id), scopeKey(record.scope)];
    const event: LedgerEvent = held
      ? { after: hash, before: held, id, op: op === "add" ? "modify" : op, scope }
      : { after: hash, id, op, scope };
    this.#job.objects.push(object);
    this.#job.events.push({ id: record.id, event, record, prior });
    const version = (prior?.version ?? 0) + 1;
    const entry = { record, hash, version, created, updated: this.now, commit: undefined, author };
    this.#put(before, entry);
    return entry;
  }

  forget(entry: Entry): void {
    const { record, hash } = entry;
    const event: LedgerEvent = {
      op: "forget",
      scope: scopeKey(record.scope),
      id: idKey(record.id),
      before: hash,
    };
    this.#job.events.push({ id: record.id, event, record: undefined, prior: countersOf(entry) });
    this.#put(entry, null);
  }

  #put(before: Entry | undefined, after: Entry | null): void {
    this.#state.put(before, after);
    this.surroundings.put(before, after);
  }

  /** Of many that go for one reason it is said once. */
  addReason(reason: string): void {
    if (this.#job.reasons.at(-1) !== reason) this.#job.reasons.push(reason);
  }

  addMeta(meta: JsonObject): void {
    this.#job.meta = { ...this.#job.meta, ...meta };
  }

  /** The commit of this job will have this one as a further parent, even if it changes nothing. */
  join(tip: Tip): void {
    this.#job.joined.push(tip);
  }

  /** Moves another ref together with the head. */
  move(move: RefMove): void {
    this.#job.moves.push(move);
  }

  /** Moves another ref, also when nothing is committed. */
  moveAnyway(move: RefMove): void {
    this.#job.free.push(move);
  }

  /** Keeps a write aside for a person to decide. The same one waits only once. */
  hold(held: Held): void {
    if (this.#job.held.some(({ id }) => id === held.id)) return;
    this.#job.held.push(held);
    const name = stagingRef(this.branch, held.id);
    // The caller that asked for what waits hears of a failure; nobody else need.
    this.#waiting.get(held.info.author.id)?.then(
      (names) => names.add(name),
      () => undefined,
    );
  }

  /** Counts evidence for a memory once this draft is durable. Has the same voice given some before? */
  async hear(use: Use): Promise<boolean> {
    const { scope, id, voice } = use;
    const isSame = (one: Use) => one.scope === scope && one.id === id && one.voice === voice;
    const isHeard = [...this.#heard, ...this.#job.uses].some(isSame);
    this.#job.uses.push(use);
    return isHeard || (await usesOf(this.reader.storage, scope, id)).by.includes(voice);
  }

  /** What its finished jobs heard. */
  get uses(): readonly Use[] {
    return this.#heard;
  }

  /** The refs of what waits of one author, and of what was to wait of a job that failed. */
  waitingOf(author: string): Promise<ReadonlySet<string>> {
    const known = this.#waiting.get(author);
    if (known) return known;
    const asked = this.refsUnder(stagingOf(this.branch)).then((refs) => waitingOf(refs, author));
    this.#waiting.set(author, asked);
    return asked;
  }

  /** The memories written or forgotten since the last commit. */
  changes(): { readonly id: MemoryId; readonly record: MemoryRecord | undefined }[] {
    return this.#job.events.map(({ id, record }) => ({ id, record }));
  }

  /** Everything written since the last commit, as a commit on top of the head that no branch holds. */
  async proposal(info: CommitInfo): Promise<Aside> {
    const { events, objects, reasons, meta } = this.#job;
    const { tip, put, touch } = await this.#sealing.build(events, [], info, noteOf(info, reasons, meta));
    return { tip, put: [...objects, ...put], touch };
  }

  /** Refs below a prefix, with what this draft does to them. */
  refsUnder(prefix: string): Promise<Map<string, Ref>> {
    return this.#sealing.refsUnder(prefix, this.#job.moves);
  }

  /** Takes over a commit that was made of this very head: the head moves there, no commit is made. */
  forwardTo(tip: Tip): void {
    this.#job.forward = tip;
  }

  /** Drops what the current job wrote, after it failed. */
  abandon(): void {
    this.#state.takeBack();
    this.surroundings.takeBack();
    this.#job = new Unsealed();
  }

  /** Ends a job: its events become one commit. Answers undefined when it wrote nothing; at once, where it can. */
  seal(info: CommitInfo): Tip | undefined | Promise<Tip | undefined> {
    const { events, joined, free, reasons, meta, forward } = this.#job;
    const before = this.tip;
    if (forward) {
      this.#sealing.forward(forward, info, this.#moved());
      this.#state = new WorkingState(this.reader, forward);
      this.surroundings = new Surroundings(this.reader, this.branch, forward);
    } else if (events.length + joined.length > 0) {
      const built = this.#sealing.build(events, joined, info, noteOf(info, reasons, meta));
      if (built instanceof Promise) return built.then((late) => this.#sealed(before, info, late));
      return this.#sealed(before, info, built);
    } else if (free.length > 0) this.#sealing.log(info, free, this.now);
    return this.#sealed(before, info, undefined);
  }

  #sealed(
    before: Tip,
    info: CommitInfo,
    built: Built | undefined,
  ): Tip | undefined | Promise<Tip | undefined> {
    const { objects, held, uses } = this.#job;
    if (built) {
      this.#sealing.advance(built, objects, info, this.#moved());
      this.surroundings.settle(this.tip.hash);
    }
    for (const use of uses) this.#heard.push(use);
    this.#job = new Unsealed();
    return held.length > 0 ? this.#setAllAside(held, before) : this.#settled(before);
  }

  #settled(before: Tip): Tip | undefined {
    this.#state.settle();
    return this.tip === before ? undefined : this.tip;
  }

  async #setAllAside(held: readonly Held[], before: Tip): Promise<Tip | undefined> {
    for (const item of held) await this.#setAside(item);
    return this.#settled(before);
  }

  /** All refs that move with a commit. */
  #moved(): readonly RefMove[] {
    const { moves, free } = this.#job;
    return free.length > 0 ? [...moves, ...free] : moves;
  }

  /** What is held back becomes a commit on the state it was judged on, under a ref of its own. */
  async #setAside({ id, changes, info, meta }: Held): Promise<void> {
    const name = stagingRef(this.branch, id);
    if ((await this.refsUnder(name)).has(name)) return;
    const pending: PendingEvent[] = [];
    const objects: Encoded[] = [];
    for (const { scope, id: memory, record } of changes) {
      const before = await this.entry(scope, memory);
      if (!before && !record) continue;
      const object = record && encodeObject("memory", record);
      if (object) objects.push(object);
      const event: LedgerEvent = {
        ...(object && { after: object.hash }),
        ...(before && { before: before.hash }),
        id: idKey(memory),
        op: object ? (before ? "modify" : "add") : "forget",
        scope: scopeKey(scope),
      };
      const prior = before ? countersOf(before) : await this.#state.counters(scope, memory);
      pending.push({ event, record, prior });
    }
    if (pending.length === 0) return;
    const aside = await this.#sealing.build(pending, [], info, noteOf(info));
    this.#sealing.setAside(aside, objects, info, name, meta);
  }

  /** How many nodes were stored for states that nobody keeps for long. */
  get droppable(): number {
    return this.#sealing.droppable;
  }

  /** Is this head the one it was made on, with nothing erased meanwhile and nothing sealed yet? */
  isFreshOn(tip: Tip, epoch = this.#epoch): boolean {
    return this.tip === this.start && this.start.hash === tip.hash && this.#epoch === epoch;
  }

  get isEmpty(): boolean {
    return this.tip === this.start && !this.#sealing.movesRefs;
  }

  /** Everything sealed so far. */
  transaction(
    expect: Hash | null,
    meta: JsonObject | undefined,
    epoch: number,
  ): Transaction | Promise<Transaction> {
    return this.#sealing.transaction(expect, meta, epoch);
  }

  /** After the transaction is durable: readers may use what was built. */
  publish(): void {
    this.#sealing.publish();
    if (this.tip === this.start) return;
    this.surroundings.publish(this.tip);
    this.#state.passOn(this.tip.hash);
  }
}
