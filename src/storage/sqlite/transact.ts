import type { Erasure, StoredObject, Transaction } from "../port.js";
import { packTouch } from "../touch-codec.js";
import {
  asBuffer,
  type Chunk,
  cut,
  eachObject,
  layChunk,
  MAX_NODE_BYTES,
  MAX_OBJECTS,
  packChunk,
} from "./chunk.js";
import type { Connection, State } from "./connection.js";
import { eachWaiting, insertEntries, setIndexed } from "./lookup.js";
import { type EachPlace, Entries, JOURNAL, NODES } from "./place.js";
import { nextEpoch, takeOut } from "./remove.js";
import { RowBuffer } from "./row-buffer.js";
import { readSide, writeSide } from "./side.js";
import { moveRef, packOps, removeVectors } from "./tables.js";
import { eachTouchKey } from "./touch-index.js";

const MAX_TOUCH = 128;
/** A transaction this big writes its index itself: sorted, it costs less than a long tail would. */
const BULK = 2048;

interface JournalRow {
  readonly touch: Buffer | null;
  readonly ops: Buffer | null;
  readonly chunk: Chunk | undefined;
}

/** A transaction as rows, made before the lock is taken. */
export interface Packed {
  readonly journal: readonly JournalRow[];
  readonly nodes: readonly Chunk[];
  readonly objects: number;
  readonly bytes: number;
}

/** An object given twice is stored twice: harmless for every read, and cheaper than looking. */
export function pack({ put, touch, ops }: Transaction): Packed {
  let bytes = 0;
  for (const object of put) bytes += object.bytes.length;
  const derived = put.filter(isNode);
  const chunks = cut(derived.length > 0 ? put.filter((object) => !isNode(object)) : put).map(packChunk);
  // At least one row, even when only a ref moves: the seq of the journal is the version of the store.
  const rows = Math.max(1, chunks.length, Math.ceil(touch.length / MAX_TOUCH));
  const journal: JournalRow[] = [];
  for (let row = 0; row < rows; row++) {
    const events =
      touch.length <= MAX_TOUCH && row === 0 ? touch : touch.slice(row * MAX_TOUCH, (row + 1) * MAX_TOUCH);
    journal.push({
      touch: events.length > 0 ? packTouch(events) : null,
      ops: row === rows - 1 && ops.length > 0 ? packOps(ops) : null,
      chunk: chunks[row],
    });
  }
  const nodes = derived.length > 0 ? cut(derived, MAX_NODE_BYTES).map(packChunk) : [];
  return { journal, nodes, objects: put.length, bytes };
}

/** The same in a row buffer, for one that is a single row: what nearly every commit is. Undefined when it is not. */
export function packSmall({ put, touch, ops }: Transaction, buffer: RowBuffer): Packed | undefined {
  if (put.length === 0 || put.length > MAX_OBJECTS || touch.length > MAX_TOUCH) return undefined;
  if (put.some(isNode) || !RowBuffer.fits(put)) return undefined;
  buffer.clear();
  const row = {
    ops: ops.length > 0 ? packOps(ops, buffer.column) : null,
    touch: touch.length > 0 ? packTouch(touch, buffer.column) : null,
    chunk: layChunk(put, buffer),
  };
  return { journal: [row], nodes: [], objects: put.length, bytes: row.chunk.objects.length };
}

const isNode = ({ kind }: StoredObject): boolean => kind === "node";

/** A transaction that expects something to be there is stale on a store that is not there, and creates none. */
export const canBeFirst = ({ refs, epoch, guard }: Transaction): boolean =>
  epoch === 0 && typeof guard?.value !== "string" && refs.every(({ expect }) => expect === null);

const INSERT_JOURNAL = "INSERT INTO journal VALUES (?, ?, ?, ?, ?)";
const INSERT_NODES = "INSERT INTO nodes VALUES (?, ?, ?)";

/** Inside a write transaction. Returns the new state, or undefined when it is stale and must be rolled back. */
export function write(
  connection: Connection,
  packed: Packed,
  { refs, epoch, guard, erase, drop = [] }: Transaction,
): State | undefined {
  const seen = connection.refresh();
  if (epoch !== seen.epoch) return undefined;
  if (guard && (readSide(connection, guard.key) ?? null) !== guard.value) return undefined;
  for (const move of refs) if (!moveRef(connection, move)) return undefined;
  if (drop.length > 0) takeOut(connection, drop, "shrink");
  const before = erase ? eraseAll(connection, erase) : seen;

  const { journal, nodes } = packed;
  const { first, last } = seqs(before.seq, packed);
  journal.forEach(({ touch, ops, chunk }, row) => {
    connection
      .sql(INSERT_JOURNAL)
      .run(first + row, touch, ops, chunk?.directory ?? null, chunk?.objects ?? null);
  });
  nodes.forEach(({ directory, objects }, row) => {
    connection.sql(INSERT_NODES).run(before.seq + 1 + row, directory, objects);
  });
  if (packed.objects < BULK) return { ...before, seq: last };

  const entries = new Entries();
  eachWaiting(connection, before.indexed, before.seq, entries.add);
  eachPackedKey(packed, before.seq, entries.add);
  insertEntries(connection, entries);
  setIndexed(connection, last);
  return { ...before, seq: last, indexed: last };
}

function eraseAll(connection: Connection, { objects, texts, notes }: Erasure): State {
  takeOut(connection, objects, "blank");
  removeVectors(connection, texts);
  for (const key of notes) writeSide(connection, key, null, undefined);
  return nextEpoch(connection);
}

/** Node rows take the first seqs, journal rows the last ones: so the journal always holds the highest. */
function seqs(before: number, { journal, nodes }: Packed): { first: number; last: number } {
  const last = before + Math.max(journal.length, nodes.length);
  return { first: last - journal.length + 1, last };
}

/** What the index has to know of a packed transaction that was written after `before`. */
export function eachPackedKey(packed: Packed, before: number, each: EachPlace): void {
  const { first } = seqs(before, packed);
  packed.journal.forEach(({ touch, chunk }, row) => {
    if (touch) eachTouchKey(touch, first + row, each);
    if (chunk) eachObject(asBuffer(chunk.directory), first + row, JOURNAL, each);
  });
  packed.nodes.forEach(({ directory }, row) => {
    eachObject(asBuffer(directory), before + 1 + row, NODES, each);
  });
}

/** After the commit: the own rows enter the tail from memory, unless they are in the index already. */
export function remember(connection: Connection, packed: Packed, state: State): void {
  const before = connection.state.seq;
  const tail = state.indexed < state.seq ? connection.loadedTail() : undefined;
  connection.committed(state);
  if (!tail) return;
  eachPackedKey(packed, before, tail.add);
  tail.upTo = state.seq;
}
