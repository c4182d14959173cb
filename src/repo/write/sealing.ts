import type { BranchName, Hash, JsonObject, Timestamp } from "../../core/base/index.js";
import {
  buildCommit,
  type Counters,
  type Encoded,
  encodeObject,
  foldEvents,
  headRef,
  type LedgerEvent,
  type MemoryRecord,
  type Note,
  type Tip,
  type Touch,
  touchOf,
} from "../../core/ledger/index.js";
import type { Made } from "../../core/merkle/index.js";
import type { Ref, RefMove, StoredObject, Transaction } from "../../storage/index.js";
import type { Reader } from "../read/reader.js";
import { isDue, isLine, NOTHING_TO_STORE, nodesToStore, type Sealed, type ToStore } from "../read/sealed.js";
import type { CommitInfo } from "./commit-info.js";
import { encodeOperation } from "./operation.js";

/** An event of a commit that is to be made, with what its touch row has to know. */
export interface PendingEvent {
  readonly event: LedgerEvent;
  readonly record: MemoryRecord | undefined;
  readonly prior: Counters | undefined;
}

/** A commit that no branch holds, with everything to be stored for it. */
export interface Aside {
  readonly tip: Tip;
  readonly put: readonly Encoded[];
  readonly touch: readonly Touch[];
}

export interface Built extends Aside, Made {
  readonly events: readonly LedgerEvent[];
}

/**
 * The commits made on top of a head, and everything to be stored for them: objects, touch rows, entries of the operation
 * log, moves of refs. Nothing reaches storage before `transaction()` is executed.
 */
export class Sealing {
  tip: Tip;
  readonly #reader: Reader;
  readonly #branch: BranchName;
  readonly #now: Timestamp;
  /** Committed states the commits stand on: the head they start from, and one it was moved forward to. */
  readonly #grounds: Tip[];
  /** Of all commits made here; a map of its own once there is more than one. */
  #nodes: ReadonlyMap<Hash, Uint8Array> | undefined;
  readonly #sealed: Sealed[] = [];
  readonly #objects: Encoded[] = [];
  readonly #touch: Touch[] = [];
  readonly #ops: Hash[] = [];
  readonly #refs: RefMove[] = [];
  #stored: ToStore | undefined;

  constructor(reader: Reader, branch: BranchName, start: Tip, now: Timestamp) {
    this.#reader = reader;
    this.#branch = branch;
    this.#now = now;
    this.#grounds = [start];
    this.tip = start;
  }

  /** A commit of these events on top of the last one. It is not stored, and no branch moves there. */
  build(
    pending: readonly PendingEvent[],
    joined: readonly Tip[],
    info: CommitInfo,
    note: Encoded<"note"> | undefined,
  ): Built | Promise<Built> {
    const events = pending.map(({ event }) => event);
    const { root } = this.tip.commit;
    const folded = this.#reader.read(
      this.#grounds,
      (source) => foldEvents(root, events, source),
      this.#nodes,
    );
    const build = (made: Made & { readonly root: Hash }): Built => {
      const { tip, commit, changeset } = buildCommit({
        parents: joined.length === 0 ? [this.tip] : [this.tip, ...joined],
        root: made.root,
        events,
        now: this.#now,
        author: info.author,
        branch: this.#branch,
        note: note?.hash,
      });
      const put = note ? [changeset, commit, note] : [changeset, commit];
      const touch = pending.map(({ event, record, prior }) => touchOf(event, record, tip, prior));
      return { tip, put, touch, events, nodes: made.nodes, gone: made.gone };
    };
    return folded instanceof Promise ? folded.then(build) : build(folded);
  }

  /** The branch moves to a commit that was built, with other refs beside it. */
  advance(
    { tip, put, touch, events, nodes, gone }: Built,
    objects: readonly Encoded[],
    info: CommitInfo,
    moves: readonly RefMove[],
  ): void {
    const parent = this.tip;
    this.#nodes = this.#nodes ? joined(this.#nodes, nodes, this.#sealed.length > 1) : nodes;
    this.#keep(objects, put, touch);
    this.#moveHead(tip, info, moves);
    this.#sealed.push({ tip, parent, nodes, gone, events });
  }

  /** The branch moves to a commit that was made of this very head. */
  forward(tip: Tip, info: CommitInfo, moves: readonly RefMove[]): void {
    this.#moveHead(tip, info, moves);
    this.#grounds.push(tip);
  }

  /** Keeps a commit aside, under a ref of its own. */
  setAside(
    { tip, put, touch }: Aside,
    objects: readonly Encoded[],
    info: CommitInfo,
    name: string,
    meta: JsonObject,
  ): void {
    this.#keep(objects, put, touch);
    this.log(info, [{ name, expect: null, next: { target: tip.hash, meta } }], tip.commit.time);
  }

  /** Notes moves of refs in the operation log, and has them moved; that of the head is made with the transaction. */
  log(info: CommitInfo, moves: readonly RefMove[], time: Timestamp, head?: RefMove): void {
    const operation = encodeOperation(info, head ? [head, ...moves] : moves, time);
    this.#objects.push(operation);
    this.#ops.push(operation.hash);
    this.#refs.push(...moves);
  }

  #moveHead(tip: Tip, info: CommitInfo, moves: readonly RefMove[]): void {
    const head = { name: headRef(this.#branch), expect: this.tip.hash, next: { target: tip.hash } };
    let time = this.#now;
    // A commit that was made elsewhere may be later than this draft.
    if (tip.commit.time > time) time = tip.commit.time;
    this.log(info, moves, time, head);
    this.tip = tip;
  }

  /** One by one: a list of a million is too long for the arguments of a call. */
  #keep(objects: readonly Encoded[], put: readonly Encoded[], touch: readonly Touch[]): void {
    for (const object of objects) this.#objects.push(object);
    for (const object of put) this.#objects.push(object);
    for (const row of touch) this.#touch.push(row);
  }

  /** Refs below a prefix, with what is done to them here and by these further moves. */
  async refsUnder(prefix: string, moves: readonly RefMove[]): Promise<Map<string, Ref>> {
    const refs = await this.#reader.storage.refs(prefix);
    for (const { name, next } of [...this.#refs, ...moves]) {
      if (!name.startsWith(prefix)) continue;
      if (next) refs.set(name, next);
      else refs.delete(name);
    }
    return refs;
  }

  /** How many nodes were stored for states that nobody keeps for long. */
  get droppable(): number {
    return this.#stored?.droppable ?? 0;
  }

  get movesRefs(): boolean {
    return this.#refs.length > 0;
  }

  /** Everything sealed so far. */
  transaction(
    expect: Hash | null,
    meta: JsonObject | undefined,
    epoch: number,
  ): Transaction | Promise<Transaction> {
    const storing = (stored: ToStore): Transaction => {
      this.#stored = stored;
      const { nodes, guard } = stored;
      const put: StoredObject[] = [...this.#objects];
      for (const [hash, bytes] of nodes) put.push({ kind: "node", hash, bytes });
      const target = this.tip.hash;
      const head = { name: headRef(this.#branch), expect, next: meta ? { target, meta } : { target } };
      const refs = this.#refs.length > 0 ? [head, ...this.#refs] : [head];
      const transaction = { put, refs, touch: this.#touch, ops: this.#ops, epoch };
      return guard ? { ...transaction, guard } : transaction;
    };
    return this.#sealed.some(isDue)
      ? nodesToStore(this.#reader, this.#sealed).then(storing)
      : storing(NOTHING_TO_STORE);
  }

  /** After the transaction is durable: readers may use what was built. */
  publish(): void {
    const [first] = this.#sealed;
    if (!first) return;
    const upTo = this.#stored?.upTo ?? 0;
    const { root } = this.tip.commit;
    this.#reader.nodes.renew(this.#sealed);
    for (const { tip, events } of this.#sealed) {
      this.#reader.remember(tip.hash, tip.commit);
      this.#reader.remember(tip.commit.changeset, { events });
    }
    const { unstored } = this.#reader;
    if (!isLine(this.#sealed)) unstored.forget();
    else if (upTo === 0) unstored.advance(first.parent.commit.root, this.#sealed, root);
    else unstored.restart(this.#sealed[upTo - 1]!.tip.commit.root, this.#sealed.slice(upTo), root);
  }
}

/** Both together, in the first if that may grow. */
function joined(
  all: ReadonlyMap<Hash, Uint8Array>,
  nodes: ReadonlyMap<Hash, Uint8Array>,
  mayGrow: boolean,
): ReadonlyMap<Hash, Uint8Array> {
  const map = mayGrow ? (all as Map<Hash, Uint8Array>) : new Map(all);
  for (const [hash, bytes] of nodes) map.set(hash, bytes);
  return map;
}

/** What a commit says beside its events, if anything. */
export function noteOf(
  info: CommitInfo,
  reasons: readonly string[] = [],
  said?: JsonObject,
): Encoded<"note"> | undefined {
  const meta = info.meta || said ? { ...info.meta, ...said } : undefined;
  if (info.message === undefined && reasons.length === 0 && meta === undefined) return undefined;
  const note: Note = {
    ...(info.message !== undefined && { message: info.message }),
    ...(reasons.length > 0 && { reasons }),
    ...(meta !== undefined && { meta }),
  };
  return encodeObject("note", note);
}
