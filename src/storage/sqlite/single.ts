import { writeHash } from "../../core/base/index.js";
import type { Transaction } from "../port.js";
import type { Connection, State } from "./connection.js";
import { isBusy, sqliteCode } from "./errors.js";
import { keptMeta, rowOfRef } from "./tables.js";
import { packSmall, remember } from "./transact.js";

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
