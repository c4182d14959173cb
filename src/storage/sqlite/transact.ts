import { writeHash } from "../../core/base/index.js";
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
import { damaged, isBusy, sqliteCode } from "./errors.js";
import { eachWaiting, insertEntries, setIndexed } from "./lookup.js";
import { type EachPlace, Entries, JOURNAL, NODES } from "./place.js";
import { nextEpoch, takeOut } from "./remove.js";
import { RowBuffer } from "./row-buffer.js";
import { keptMeta, moveRef, packOps, removeVectors, rowOfRef } from "./tables.js";
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

interface Row {
  readonly key: string;
  readonly value: unknown;
}

const ONE = "SELECT key, value FROM side WHERE key = ?";

export function readSide(connection: Connection, key: string): string | undefined {
  const row = connection.sql<Row>(ONE).get(key);
  return row && textOf(row);
}

export function readSides(connection: Connection, prefix: string): Map<string, string> {
  const rows = connection
    .sql<Row>("SELECT key, value FROM side WHERE key >= ? AND key < ?")
    .all(prefix, `${prefix}\u{10ffff}`);
  return new Map(rows.map((row) => [row.key, textOf(row)]));
}

function textOf({ key, value }: Row): string {
  if (typeof value === "string") return value;
  throw damaged(`The note ${key} is damaged.`, { note: key });
}

/** Inside a write transaction; undefined when the note does not say what was expected. */
export function writeSide(
  connection: Connection,
  key: string,
  value: string | null,
  expect: string | null | undefined,
): { readonly isShorter: boolean } | undefined {
  // A damaged one says nothing, so that another can take its place.
  const row = connection.sql<Row>(ONE).get(key);
  const before = typeof row?.value === "string" ? row.value : undefined;
  if (expect !== undefined && (before ?? null) !== expect) return undefined;
  if (value === null) connection.sql("DELETE FROM side WHERE key = ?").run(key);
  else connection.sql("INSERT OR REPLACE INTO side VALUES (?, ?)").run(key, value);
  return { isShorter: before !== undefined && before.length > (value?.length ?? 0) };
}

/**
 * One row of the journal and one ref that moves, as one statement that is a transaction by itself: what nearly every
 * commit is. Five statements do the same, and each costs a call. It gives up when anything is not as this process left
 * it, and leaves it to them to see what that means.
 */
const SET_UP = [
  `CREATE TEMP VIEW IF NOT EXISTS single AS SELECT 0 AS seq, 0 AS epoch, '' AS name, '' AS expected, '' AS target,
    '' AS meta, '' AS touch, '' AS ops, '' AS directory, '' AS objects`,
  `CREATE TEMP TRIGGER IF NOT EXISTS write_single INSTEAD OF INSERT ON single BEGIN
    SELECT raise(ABORT, 'moved') WHERE (SELECT max(seq) FROM journal) IS NOT NEW.seq - 1
      OR (SELECT value FROM meta WHERE key = 'epoch') IS NOT NEW.epoch;
    UPDATE refs SET target = NEW.target, meta = NEW.meta WHERE name = NEW.name AND substr(target, 1, 32) = NEW.expected;
    SELECT raise(ABORT, 'moved') WHERE changes() = 0;
    INSERT INTO journal VALUES (NEW.seq, NEW.touch, NEW.ops, NEW.directory, NEW.objects);
  END`,
];
const WRITE = "INSERT INTO single VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
/** SQLITE_CONSTRAINT, which only `raise` can cause here. */
const RAISED = 19;

/** The new state; undefined when it is no such transaction, or has to be looked at more closely. */
export function writeSingle(
  connection: Connection,
  transaction: Transaction,
): { readonly state: State; readonly bytes: number } | undefined {
  const { refs, epoch, guard, erase, drop } = transaction;
  const [move] = refs;
  if (refs.length !== 1 || guard || erase || drop) return undefined;
  if (!move?.next || move.expect === null || move.next.meta || connection.state.epoch !== epoch)
    return undefined;
  const packed = packSmall(transaction, connection.rowBuffer);
  if (!packed) return undefined;
  const { touch, ops, chunk } = packed.journal[0]!;
  const { name, expect, next } = move;
  const meta = keptMeta(connection, name, expect);
  const seq = connection.state.seq + 1;
  const expected = connection.rowBuffer.column(32);
  writeHash(expect, expected, 0);
  try {
    connection
      .sqlAfter(SET_UP, WRITE)
      // It answers nothing: what `run` tells of a write would be made and thrown away.
      .get(
        seq,
        epoch,
        name,
        expected,
        rowOfRef(name, next.target, meta, connection.rowBuffer.column),
        meta,
        touch,
        ops,
        chunk?.directory ?? null,
        chunk?.objects ?? null,
      );
  } catch (error) {
    if (sqliteCode(error) === RAISED || isBusy(error)) return undefined;
    throw error;
  }
  connection.refMeta.set(name, meta);
  const state = { ...connection.state, seq };
  remember(connection, packed, state);
  return { state, bytes: packed.bytes };
}
