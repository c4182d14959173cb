import type { BranchName, Hash, JsonObject, Timestamp } from "../../core/base/index.js";
import {
  buildCommit,
  type Counters,
  type Encoded,
  encodeObject,
  foldEvents,
  headRef,
  isCheckpoint,
  type Kinds,
  type LedgerEvent,
  type MemoryRecord,
  type Note,
  storesNodes,
  type Tip,
  type Touch,
  touchOf,
} from "../../core/ledger/index.js";
import { type Made, madeBy } from "../../core/merkle/index.js";
import {
  type Guard,
  nodeAge,
  type Ref,
  type RefMove,
  type StoredObject,
  type Transaction,
} from "../../storage/index.js";
import type { Reader } from "../read/reader.js";
import { type CommitInfo, encodeOperation } from "./commit-info.js";

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

/** A commit of a batch, before it is durable. */
interface Sealed extends Made {
  readonly tip: Tip;
  readonly parent: Tip;
  readonly events: readonly LedgerEvent[];
}

const isKept = ({ tip, parent }: Sealed): boolean =>
  isCheckpoint(tip.commit.generation, parent.commit.generation);
const isDue = ({ tip, parent, events }: Sealed): boolean =>
  storesNodes(tip.commit.generation, parent.commit.generation, events.length);

interface ToStore {
  readonly nodes: ReadonlyMap<Hash, Uint8Array>;
  /** How many of them may go again. */
  readonly droppable: number;
  /** How many commits of the batch led to the last state that is stored with them; 0 when none is. */
  readonly upTo: number;
  /** They lean on what was stored in this age. */
  readonly guard: Guard | undefined;
}

const NOTHING_TO_STORE: ToStore = { nodes: new Map(), droppable: 0, upTo: 0, guard: undefined };

/** Does each commit stand on the one before it? Where the branch took over one made elsewhere, it does not. */
const isLine = (batch: readonly Sealed[]): boolean =>
  batch.every(({ parent }, at) => at === 0 || parent === batch[at - 1]?.tip);

/** The nodes of the kept states of a batch, and of the last one that is due, each beyond the last that is stored. */
async function nodesToStore(reader: Reader, batch: readonly Sealed[]): Promise<ToStore> {
  const due = batch.filter(isDue);
  const guard = await nodeAge(reader.storage);
  const nodes = new Map<Hash, Uint8Array>();
  let droppable = 0;
  let upTo = 0;
  for (const sealed of due.filter((item, at) => isKept(item) || at === due.length - 1)) {
    const end = batch.indexOf(sealed) + 1;
    const before = upTo > 0 ? [] : await unstoredAt(reader, (batch[0] as Sealed).parent);
    const made =
      before && isLine(batch)
        ? madeBy([...before, ...batch.slice(upTo, end)])
        : await reader.fold(sealed.tip, "stored", valuesOf(batch));
    for (const [hash, bytes] of made) nodes.set(hash, bytes);
    if (!isKept(sealed)) droppable += made.size;
    upTo = end;
  }
  return { nodes, droppable, upTo, guard };
}

/** What a fold has to know of commits that no store has yet. */
const valuesOf = (batch: readonly Sealed[]): ReadonlyMap<Hash, Kinds[keyof Kinds]> =>
  new Map<Hash, Kinds[keyof Kinds]>(
    batch.flatMap(({ tip, events }) => [
      [tip.hash, tip.commit],
      [tip.commit.changeset, { events }],
    ]),
  );

/** What led from a stored state to this one; undefined when none is known that is still stored. */
async function unstoredAt(reader: Reader, { commit: { root } }: Tip): Promise<readonly Made[] | undefined> {
  const since = reader.unstored.leadingTo(root);
  if (since && (await reader.isStored(since.from))) return since.steps;
  return (await reader.isStored(root)) ? [] : undefined;
}
