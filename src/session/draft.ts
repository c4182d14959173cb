import {
  type BranchName,
  type Hash,
  idKey,
  type JsonObject,
  type MemoryId,
  type Scope,
  scopeKey,
  type Timestamp,
} from "../base/index.js";
import { headRef, stagingOf, stagingRef } from "../branches/index.js";
import {
  type Author,
  buildCommit,
  type Counters,
  type Encoded,
  encodeObject,
  foldEvents,
  type LedgerEvent,
  type MemoryRecord,
  type Note,
  type Op,
  type Sensitivity,
  type Tip,
  type Touch,
  touchOf,
} from "../ledger/index.js";
import type { Ref, RefMove, StoredObject, Transaction } from "../storage/index.js";
import type { Entry } from "./entries.js";
import { type CommitInfo, encodeOperation } from "./operation.js";
import type { Reader } from "./reader.js";
import { nodesToStore, type Sealed, type ToStore } from "./sealed.js";
import { Surroundings } from "./surroundings.js";
import { type Use, usesOf } from "./uses.js";
import { waitingOf } from "./waiting.js";
import { countersOf, WorkingState } from "./working-state.js";

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

/** A commit that no branch holds, with everything to be stored for it. */
export interface Aside {
  readonly tip: Tip;
  readonly put: readonly Encoded[];
  readonly touch: readonly Touch[];
}

interface PendingEvent {
  readonly id: MemoryId;
  readonly event: LedgerEvent;
  readonly record: MemoryRecord | undefined;
  readonly prior: Counters | undefined;
}

/**
 * A state under construction: a head and the writes queued on top of it. Each job of a batch sees what the jobs
 * before it wrote; sealing a job makes its commit; nothing reaches storage before `transaction()` is executed.
 */
export class Draft {
  readonly reader: Reader;
  readonly branch: BranchName;
  readonly now: Timestamp;
  readonly start: Tip;
  tip: Tip;
  /** What the gate compares a write of this draft with. */
  surroundings: Surroundings;

  #state: WorkingState;
  /** Committed states this draft stands on: the head it started from, and one it was moved forward to. */
  readonly #grounds: Tip[];
  readonly #nodes = new Map<Hash, Uint8Array>();
  readonly #sealed: Sealed[] = [];
  readonly #objects: Encoded[] = [];
  readonly #touch: Touch[] = [];
  readonly #ops: Hash[] = [];
  readonly #refs: RefMove[] = [];
  #pending: PendingEvent[] = [];
  #joined: Tip[] = [];
  #moves: RefMove[] = [];
  #free: RefMove[] = [];
  #held: Held[] = [];
  #uses: Use[] = [];
  readonly #sealedUses: Use[] = [];
  readonly #waiting = new Map<string, Promise<Set<string>>>();
  #forward: Tip | undefined;
  #reasons: string[] = [];
  #meta: JsonObject | undefined;
  #sealedObjects = 0;
  readonly #epoch: number;
  #stored: ToStore | undefined;

  constructor(reader: Reader, branch: BranchName, tip: Tip, now: Timestamp) {
    this.reader = reader;
    this.#epoch = reader.epoch;
    this.branch = branch;
    this.start = tip;
    this.tip = tip;
    this.surroundings = new Surroundings(reader, branch, tip);
    this.#state = new WorkingState(reader, tip);
    this.#grounds = [tip];
    // The time of every commit made here, which never lies before its parent's.
    this.now = now > tip.commit.time ? now : tip.commit.time;
  }

  /** What is live under this key, the writes of this draft included. Visibility is the caller's concern. */
  entry(scope: Scope, id: MemoryId): Promise<Entry | undefined> {
    return this.#state.entry(scope, id);
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

  /**
   * Writes a record. `fresh` promises that the id was just generated, so nothing can be there. `from` are the
   * counters it goes on from, when it comes from elsewhere.
   */
  async write(
    op: Op,
    record: MemoryRecord,
    author: Author,
    fresh = false,
    from: Counters | undefined = undefined,
  ): Promise<Entry> {
    const before = fresh ? undefined : await this.entry(record.scope, record.id);
    const prior = from ?? (fresh ? undefined : await this.#state.counters(record.scope, record.id));
    const object = encodeObject("memory", record);
    this.#objects.push(object);
    const held = before?.hash ?? (fresh ? undefined : await this.#state.erasedHash(record.scope, record.id));
    const event: LedgerEvent = {
      after: object.hash,
      ...(held && { before: held }),
      id: idKey(record.id),
      op: held && op === "add" ? "modify" : op,
      scope: scopeKey(record.scope),
    };
    this.#pending.push({ id: record.id, event, record, prior });
    const entry: Entry = {
      record,
      hash: object.hash,
      version: (prior?.version ?? 0) + 1,
      created: (before || this.#joined.length > 0 ? (from ?? before)?.created : undefined) ?? this.now,
      updated: this.now,
      commit: undefined,
      author,
    };
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
    this.#pending.push({ id: record.id, event, record: undefined, prior: countersOf(entry) });
    this.#put(entry, null);
  }

  #put(before: Entry | undefined, after: Entry | null): void {
    this.#state.put(before, after);
    this.surroundings.put(before, after);
  }

  addReason(reason: string): void {
    this.#reasons.push(reason);
  }

  addMeta(meta: JsonObject): void {
    this.#meta = { ...this.#meta, ...meta };
  }

  /** The commit of this job will have this one as a further parent, even if it changes nothing. */
  join(tip: Tip): void {
    this.#joined.push(tip);
  }

  /** Moves another ref together with the head. */
  move(move: RefMove): void {
    this.#moves.push(move);
  }

  /** Moves another ref, also when nothing is committed. */
  moveAnyway(move: RefMove): void {
    this.#free.push(move);
  }

  /** Keeps a write aside for a person to decide. The same one waits only once. */
  hold(held: Held): void {
    if (this.#held.some(({ id }) => id === held.id)) return;
    this.#held.push(held);
    void this.#waiting.get(held.info.author.id)?.then((names) => names.add(stagingRef(this.branch, held.id)));
  }

  /** Counts evidence for a memory once this draft is durable. Has the same voice given some before? */
  async hear(use: Use): Promise<boolean> {
    const { scope, id, voice } = use;
    const isSame = (one: Use) => one.scope === scope && one.id === id && one.voice === voice;
    const isHeard = [...this.#sealedUses, ...this.#uses].some(isSame);
    this.#uses.push(use);
    return isHeard || (await usesOf(this.reader.storage, scope, id)).by.includes(voice);
  }

  /** What its finished jobs heard. */
  get uses(): readonly Use[] {
    return this.#sealedUses;
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
    return this.#pending.map(({ id, record }) => ({ id, record }));
  }

  /** Everything written since the last commit, as a commit on top of the head that no branch holds. */
  async proposal(info: CommitInfo): Promise<Aside> {
    const { tip, put, touch } = await this.#build(this.#pending, [], info, this.#note(info));
    return { tip, put: [...this.#objects, ...put], touch };
  }

  /** Refs below a prefix, with what this draft does to them. */
  async refsUnder(prefix: string): Promise<Map<string, Ref>> {
    const refs = await this.reader.storage.refs(prefix);
    for (const { name, next } of [...this.#refs, ...this.#moves]) {
      if (!name.startsWith(prefix)) continue;
      if (next) refs.set(name, next);
      else refs.delete(name);
    }
    return refs;
  }

  /** Takes over a commit that was made of this very head: the head moves there, no commit is made. */
  forwardTo(tip: Tip): void {
    this.#forward = tip;
  }

  /** Drops what the current job wrote, after it failed. */
  abandon(): void {
    this.#state.takeBack();
    this.surroundings.takeBack();
    this.#objects.length = this.#sealedObjects;
    this.#reset();
  }

  /** Ends a job: its events become one commit. Answers undefined when it wrote nothing. */
  async seal(info: CommitInfo): Promise<Tip | undefined> {
    const sealed = this.#forward ? this.#sealForward(this.#forward, info) : await this.#sealEvents(info);
    if (!sealed && this.#free.length > 0) this.#log(info, this.#free, this.now);
    await this.#sealHeld();
    this.#sealedUses.push(...this.#uses);
    this.#reset();
    return sealed;
  }

  async #sealEvents(info: CommitInfo): Promise<Tip | undefined> {
    if (this.#pending.length + this.#joined.length === 0) return undefined;
    const parent = this.tip;
    const { tip, put, touch, events, nodes } = await this.#build(
      this.#pending,
      this.#joined,
      info,
      this.#note(info),
    );
    for (const [hash, bytes] of nodes) this.#nodes.set(hash, bytes);
    this.#objects.push(...put);
    this.#operation(parent, tip, info);
    this.#sealed.push({ tip, parent, nodes, events: events.length });
    // One by one: a list of a million is too long for the arguments of a call.
    for (const row of touch) this.#touch.push(row);
    this.tip = tip;
    this.surroundings.settle(tip.hash);
    this.reader.remember(tip.hash, tip.commit);
    this.reader.remember(tip.commit.changeset, { events });
    return tip;
  }

  /** What is held back becomes commits on the state it was judged on, each under a ref of its own. */
  async #sealHeld(): Promise<void> {
    for (const { id, changes, info, meta } of this.#held) {
      const name = stagingRef(this.branch, id);
      if ((await this.refsUnder(name)).has(name)) continue;
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
        pending.push({ id: memory, event, record, prior });
      }
      if (pending.length === 0) continue;
      const { tip, put, touch } = await this.#build(pending, [], info, noteOf(info));
      this.#objects.push(...objects, ...put);
      this.#touch.push(...touch);
      this.#log(info, [{ name, expect: null, next: { target: tip.hash, meta } }], tip.commit.time);
    }
  }

  async #build(
    pending: readonly PendingEvent[],
    joined: readonly Tip[],
    info: CommitInfo,
    note: Encoded<"note"> | undefined,
  ): Promise<
    Aside & { readonly events: readonly LedgerEvent[]; readonly nodes: ReadonlyMap<Hash, Uint8Array> }
  > {
    const events = pending.map(({ event }) => event);
    const folded = await this.reader.read(
      this.#grounds,
      (source) => foldEvents(this.tip.commit.root, events, source),
      this.#nodes,
    );
    const { tip, commit, changeset } = buildCommit({
      parents: [this.tip, ...joined],
      root: folded.root,
      events,
      now: this.now,
      author: info.author,
      branch: this.branch,
      note: note?.hash,
    });
    return {
      tip,
      put: [changeset, commit, ...(note ? [note] : [])],
      touch: pending.map(({ event, record, prior }) => touchOf(event, record, tip, prior)),
      events,
      nodes: folded.nodes,
    };
  }

  #sealForward(tip: Tip, info: CommitInfo): Tip {
    this.#operation(this.tip, tip, info);
    this.tip = tip;
    this.#grounds.push(tip);
    this.#state = new WorkingState(this.reader, tip);
    this.surroundings = new Surroundings(this.reader, this.branch, tip);
    return tip;
  }

  /** Notes which refs the job moved, and has them moved. */
  #operation(before: Tip, after: Tip, info: CommitInfo): void {
    const head = { name: headRef(this.branch), expect: before.hash, next: { target: after.hash } };
    const moves = [...this.#moves, ...this.#free];
    // A commit that was made elsewhere may be later than this draft.
    const time = [this.now, after.commit.time].sort()[1] as Timestamp;
    this.#log(info, moves, time, head);
  }

  #log(info: CommitInfo, moves: readonly RefMove[], time: Timestamp, head?: RefMove): void {
    const operation = encodeOperation(info, head ? [head, ...moves] : moves, time);
    this.#objects.push(operation);
    this.#ops.push(operation.hash);
    this.#refs.push(...moves);
  }

  /** How many nodes were stored for states that nobody keeps for long. */
  get droppable(): number {
    return this.#stored?.droppable ?? 0;
  }

  /** Is this head the one it was made on, with nothing erased meanwhile and nothing sealed yet? */
  isFreshOn(tip: Tip, epoch = this.#epoch): boolean {
    return this.tip === this.start && this.start.hash === tip.hash && this.#epoch === epoch;
  }

  get isEmpty(): boolean {
    return this.tip === this.start && this.#refs.length === 0;
  }

  /** Everything sealed so far. */
  async transaction(expect: Hash | null, meta: JsonObject | undefined, epoch: number): Promise<Transaction> {
    const put: StoredObject[] = [...this.#objects];
    this.#stored = await nodesToStore(this.reader, this.#sealed, this.#nodes);
    const { nodes, guard } = this.#stored;
    for (const [hash, bytes] of nodes) put.push({ kind: "node", hash, bytes });
    const next = { target: this.tip.hash, ...(meta && { meta }) };
    return {
      put,
      refs: [{ name: headRef(this.branch), expect, next }, ...this.#refs],
      touch: this.#touch,
      ops: this.#ops,
      epoch,
      ...(guard && { guard }),
    };
  }

  /** After the transaction is durable: readers may use what was built. */
  publish(): void {
    this.reader.rememberNodes(this.#nodes);
    if (this.#stored?.last !== undefined) this.reader.lastStored = this.#stored.last;
    if (this.tip === this.start) return;
    this.surroundings.publish(this.tip);
    this.#state.passOn(this.tip.hash);
  }

  #note(info: CommitInfo): Encoded<"note"> | undefined {
    return noteOf(info, this.#reasons, this.#meta);
  }

  #reset(): void {
    this.#pending = [];
    this.#reasons = [];
    this.#meta = undefined;
    this.#joined = [];
    this.#moves = [];
    this.#free = [];
    this.#held = [];
    this.#uses = [];
    this.#forward = undefined;
    this.#sealedObjects = this.#objects.length;
    this.#state.settle();
  }
}

function noteOf(
  info: CommitInfo,
  reasons: readonly string[] = [],
  said?: JsonObject,
): Encoded<"note"> | undefined {
  const meta = info.meta || said ? { ...info.meta, ...said } : undefined;
  const note: Note = {
    ...(info.message !== undefined && { message: info.message }),
    ...(reasons.length > 0 && { reasons }),
    ...(meta !== undefined && { meta }),
  };
  return Object.keys(note).length > 0 ? encodeObject("note", note) : undefined;
}
