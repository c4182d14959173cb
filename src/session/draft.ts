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
import {
  type Author,
  buildCommit,
  type Counters,
  type Encoded,
  encodeObject,
  foldEvents,
  isCheckpoint,
  type LedgerEvent,
  type MemoryRecord,
  type Note,
  type Op,
  storesNodes,
  type Tip,
  type Touch,
  touchOf,
} from "../ledger/index.js";
import type { StoredObject, Transaction } from "../storage/index.js";
import type { Entry } from "./entries.js";
import { Surroundings } from "./neighbourhood.js";
import type { Reader } from "./reader.js";
import { countersOf, WorkingState } from "./working-state.js";

export interface CommitInfo {
  readonly verb: string;
  readonly author: Author;
  readonly session?: string | undefined;
  readonly message?: string | undefined;
  readonly meta?: JsonObject | undefined;
}

interface PendingEvent {
  readonly event: LedgerEvent;
  readonly record: MemoryRecord | undefined;
  readonly prior: Counters | undefined;
}

interface Sealed {
  readonly tip: Tip;
  readonly parent: Tip;
  /** Those of its state that its parent's lacks. */
  readonly nodes: ReadonlyMap<Hash, Uint8Array>;
  readonly events: number;
}

const isKept = ({ tip, parent }: Sealed): boolean =>
  isCheckpoint(tip.commit.generation, parent.commit.generation);
const isDue = ({ tip, parent, events }: Sealed): boolean =>
  storesNodes(tip.commit.generation, parent.commit.generation, events);

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
  readonly surroundings: Surroundings;

  readonly #state: WorkingState;
  readonly #nodes = new Map<Hash, Uint8Array>();
  readonly #sealed: Sealed[] = [];
  readonly #objects: Encoded[] = [];
  readonly #touch: Touch[] = [];
  readonly #ops: Hash[] = [];
  #pending: PendingEvent[] = [];
  #reasons: string[] = [];
  #meta: JsonObject | undefined;
  #sealedObjects = 0;
  #droppable = 0;

  constructor(reader: Reader, branch: BranchName, tip: Tip, now: Timestamp) {
    this.reader = reader;
    this.branch = branch;
    this.start = tip;
    this.tip = tip;
    this.surroundings = new Surroundings(reader, branch, tip);
    this.#state = new WorkingState(reader, tip, (before, after) => this.surroundings.move(before, after));
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

  /** The live holder of a topic, whatever its id. */
  topicHolder(scope: Scope, topic: string): Promise<Entry | undefined> {
    return this.#state.topicHolder(scope, topic);
  }

  /** Writes a record. `fresh` promises that the id was just generated, so nothing can be there. */
  async write(op: Op, record: MemoryRecord, author: Author, fresh = false): Promise<Entry> {
    const before = fresh ? undefined : await this.entry(record.scope, record.id);
    const prior = fresh ? undefined : await this.#state.counters(record.scope, record.id);
    const object = encodeObject("memory", record);
    this.#objects.push(object);
    const event: LedgerEvent = {
      after: object.hash,
      ...(before && { before: before.hash }),
      id: idKey(record.id),
      op,
      scope: scopeKey(record.scope),
    };
    this.#pending.push({ event, record, prior });
    const entry: Entry = {
      record,
      hash: object.hash,
      version: (prior?.version ?? 0) + 1,
      created: before?.created ?? this.now,
      updated: this.now,
      commit: undefined,
      author,
    };
    this.#state.put(before, entry);
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
    this.#pending.push({ event, record: undefined, prior: countersOf(entry) });
    this.#state.put(entry, null);
  }

  addReason(reason: string): void {
    this.#reasons.push(reason);
  }

  addMeta(meta: JsonObject): void {
    this.#meta = { ...this.#meta, ...meta };
  }

  /** Drops what the current job wrote, after it failed. */
  abandon(): void {
    this.#state.takeBack();
    this.#objects.length = this.#sealedObjects;
    this.#reset();
  }

  /** Ends a job: its events become one commit. Answers undefined when it wrote nothing. */
  async seal(info: CommitInfo): Promise<Tip | undefined> {
    if (this.#pending.length === 0) {
      this.#reset();
      return undefined;
    }
    const events = this.#pending.map(({ event }) => event);
    const parent = this.tip;
    const folded = await this.reader.read(
      [this.start],
      (source) => foldEvents(parent.commit.root, events, source),
      this.#nodes,
    );
    for (const [hash, bytes] of folded.nodes) this.#nodes.set(hash, bytes);
    const note = this.#note(info);
    const { tip, commit, changeset } = buildCommit({
      parents: [parent],
      root: folded.root,
      events,
      now: this.now,
      author: info.author,
      branch: this.branch,
      note: note?.hash,
    });
    const operation = encodeObject("operation", {
      author: info.author,
      refs: [{ after: tip.hash, before: parent.hash, name: headRef(this.branch) }],
      ...(info.session !== undefined && { session: info.session }),
      time: tip.commit.time,
      v: 1,
      verb: info.verb,
    });
    this.#objects.push(changeset, commit, operation, ...(note ? [note] : []));
    this.#ops.push(operation.hash);
    this.#sealed.push({ tip, parent, nodes: folded.nodes, events: events.length });
    for (const { event, record, prior } of this.#pending)
      this.#touch.push(touchOf(event, record, tip, prior));
    this.tip = tip;
    this.reader.remember(tip.hash, tip.commit);
    this.reader.remember(changeset.hash, { events });
    this.#reset();
    return tip;
  }

  /** How many nodes were stored for states that nobody keeps for long. */
  get droppable(): number {
    return this.#droppable;
  }

  /** Is this head the one it was made on, with nothing sealed yet? */
  isFreshOn(tip: Tip): boolean {
    return this.tip === this.start && this.start.hash === tip.hash;
  }

  get isEmpty(): boolean {
    return this.tip === this.start;
  }

  /** Everything sealed so far. */
  async transaction(expect: Hash | null, meta: JsonObject | undefined, epoch: number): Promise<Transaction> {
    const put: StoredObject[] = [...this.#objects];
    for (const [hash, bytes] of await this.#nodesToStore()) put.push({ kind: "node", hash, bytes });
    const next = { target: this.tip.hash, ...(meta && { meta }) };
    return {
      put,
      refs: [{ name: headRef(this.branch), expect, next }],
      touch: this.#touch,
      ops: this.#ops,
      epoch,
    };
  }

  /** The nodes of the kept states of this batch, and of the last one that is due. */
  async #nodesToStore(): Promise<Map<Hash, Uint8Array>> {
    const due = this.#sealed.filter(isDue);
    const nodes = new Map<Hash, Uint8Array>();
    let last: Hash | undefined;
    for (const sealed of due.filter((item, at) => isKept(item) || at === due.length - 1)) {
      const { root } = sealed.parent.commit;
      const onStored = root === last || (await this.reader.isStored(root));
      const made = onStored ? sealed.nodes : await this.reader.fold(sealed.tip);
      for (const [hash, bytes] of made) nodes.set(hash, bytes);
      if (!isKept(sealed)) this.#droppable += made.size;
      last = sealed.tip.commit.root;
    }
    return nodes;
  }

  /** After the transaction is durable: readers may use what was built. */
  publish(): void {
    this.reader.rememberNodes(this.#nodes);
    this.surroundings.settle(this.tip);
  }

  #note(info: CommitInfo): Encoded<"note"> | undefined {
    const meta = info.meta || this.#meta ? { ...info.meta, ...this.#meta } : undefined;
    const note: Note = {
      ...(info.message !== undefined && { message: info.message }),
      ...(this.#reasons.length > 0 && { reasons: this.#reasons }),
      ...(meta !== undefined && { meta }),
    };
    return Object.keys(note).length > 0 ? encodeObject("note", note) : undefined;
  }

  #reset(): void {
    this.#pending = [];
    this.#reasons = [];
    this.#meta = undefined;
    this.#sealedObjects = this.#objects.length;
    this.#state.settle();
  }
}

export const headRef = (branch: BranchName): string => `heads/${branch}`;
