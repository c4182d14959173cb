import { randomUUID } from "node:crypto";
import { type Hash, hashToBytes } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import type { ObjectKind, RefMove, StoredObject, Transaction } from "../port.js";
import { packTouch } from "../touch-codec.js";
import { type Held, isLost, isRefusedForNow, type Run, type Server, type Statement } from "./server.js";
import type { Address } from "./url.js";

/** By their numbers in the table; never renumbered. */
export const KINDS: readonly ObjectKind[] = [
  ...(["memory", "changeset", "commit", "note", "operation", "tombstone", "node"] as const),
];
export const kindNumber = (kind: ObjectKind): number => KINDS.indexOf(kind) + 1;

/** Events in one row of the journal: to find one of them the whole row is read. */
const EVENTS = 128;
const KEY = 35;

/** A transaction as arguments of the function that writes it. */
export interface Packed {
  /** By this the server knows it again when it comes twice. */
  readonly token: string;
  readonly values: readonly unknown[];
}

export function pack({ put, refs, touch, ops, guard, erase, drop = [] }: Transaction): Packed {
  const rows = cut(touch, EVENTS);
  return {
    token: randomUUID(),
    values: [
      guard ? JSON.stringify(guard) : null,
      JSON.stringify(refs.map(moveOf)),
      erase !== undefined,
      [...(erase?.objects ?? []), ...drop].map(hashToBytes),
      (erase?.texts ?? []).map(hashToBytes),
      [...(erase?.notes ?? [])],
      rows.map((row) => packTouch(row)),
      ops.length > 0 ? Buffer.concat(ops.map(hashToBytes)) : null,
      packKeys(rows),
      ...packObjects(put),
    ],
  };
}

/** Events as they go into rows of so many. */
export function cut(touch: readonly Touch[], most: number): (readonly Touch[])[] {
  const rows: (readonly Touch[])[] = [];
  for (let at = 0; at < touch.length; at += most) rows.push(touch.slice(at, at + most));
  return rows;
}

const moveOf = ({ name, expect, next, join }: RefMove) => ({
  name,
  ...(expect !== null && { expect }),
  ...(next && { target: next.target, ...(next.meta && { meta: next.meta }), ...(join && { join }) }),
});

/** The ids and links that occur in a row, each once. */
export const keysOf = (row: readonly Touch[]): Hash[] => [
  ...new Set(row.flatMap(({ id, links }) => [id, ...links])),
];

/** The keys of every row: row 3, key 32. */
function packKeys(rows: readonly (readonly Touch[])[]): Buffer {
  const keys = rows.map(keysOf);
  const out = Buffer.allocUnsafe(keys.reduce((sum, { length }) => sum + length, 0) * KEY);
  let at = 0;
  for (const [row, list] of keys.entries())
    for (const key of list) {
      out.writeUIntBE(row, at, 3);
      at += 3 + out.write(key, at + 3, "hex");
    }
  return out;
}

/** One long value instead of many: arrays of bytes would be sent as text. */
function packObjects(put: readonly StoredObject[]): readonly unknown[] {
  const objects = [...new Map(put.map((object) => [object.hash, object])).values()];
  const ends: number[] = [];
  let end = 0;
  for (const { bytes } of objects) {
    end += bytes.length;
    ends.push(end);
  }
  return [
    Buffer.concat(objects.map(({ hash }) => hashToBytes(hash))),
    Buffer.from(objects.map(({ kind }) => kindNumber(kind))),
    ends,
    Buffer.concat(objects.map(({ bytes }) => bytes)),
  ];
}

/** A transaction that expects something to be there is stale on a store that is not there, and creates none. */
export const canBeFirst = ({ refs, epoch, guard }: Transaction): boolean =>
  epoch === 0 && typeof guard?.value !== "string" && refs.every(({ expect }) => expect === null);

const WRITE = {
  name: "write",
  text: `SELECT palimpsest.write(${Array.from({ length: 21 }, (_, at) => `$${at + 1}`).join(", ")})::float8 AS seq`,
};
const BEGIN = { name: "begin", text: "BEGIN" };
/** A process that is stopped while it holds the lock must not keep it for ever. */
const LIMITS = {
  name: "limits",
  text: "SELECT set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', '60s', true)",
};
const LOCK = { name: "lock", text: "SELECT seq::float8 FROM palimpsest.stores WHERE store = $1 FOR UPDATE" };
const NEW = {
  name: "new",
  text: "INSERT INTO palimpsest.stores VALUES ($1, $2, 0, 0) ON CONFLICT DO NOTHING",
};
const COMMIT = { name: "commit", text: "COMMIT" };
const ROLLBACK = { name: "rollback", text: "ROLLBACK" };

/** Which write it is: what the writer saw last, and, for one under the lock, what it must find. */
interface Ground {
  readonly since: number;
  readonly at?: number;
}

/** One transaction as one statement, which commits itself unless a transaction is held. The version, or undefined. */
export async function write(
  run: Run,
  { address, patience }: { readonly address: Address; readonly patience: string },
  transaction: Transaction,
  { token, values }: Packed,
  { since, at }: Ground,
): Promise<number | undefined> {
  const { rows } = await run<{ seq: number | null }>(WRITE, [
    ...[address.store, address.name, canBeFirst(transaction), transaction.epoch, at ?? null],
    ...[token, since, patience],
    ...values,
  ]);
  return rows[0]?.seq ?? undefined;
}

/** The write lock of the store, held on a connection of its own. */
export class Lock {
  readonly #server: Server;
  readonly #address: Address;
  readonly #held: Held;
  readonly #at: number;
  #isOpen = true;

  private constructor(server: Server, address: Address, held: Held, at: number) {
    this.#server = server;
    this.#address = address;
    this.#held = held;
    this.#at = at;
  }

  /** Waits for its turn. On a store that is not there yet nobody else can create it meanwhile. */
  static async take(server: Server, address: Address): Promise<Lock> {
    const held = await server.hold();
    try {
      await held.run(BEGIN, []);
      await held.run(LIMITS, [server.patience]);
      const at = (await lockRow(held.run, address)) ?? (await newRow(held.run, address));
      return new Lock(server, address, held, at);
    } catch (error) {
      held.release(false);
      throw error;
    }
  }

  /**
   * Commits one transaction and gives the lock back. When the connection was lost before the answer came it is asked
   * for once more without the lock; that is good only if it had arrived, or if nobody has written since.
   */
  async write(transaction: Transaction, packed: Packed): Promise<number | undefined> {
    const target = { address: this.#address, patience: this.#server.patience };
    const ground = { since: this.#at, at: this.#at };
    try {
      const seq = await write(this.#held.run, target, transaction, packed, ground);
      const { command } = await this.#end(seq === undefined ? ROLLBACK : COMMIT);
      if (seq === undefined || command === "COMMIT") return seq;
    } catch (error) {
      await this.free();
      if (!isLost(error) && !isRefusedForNow(error)) throw error;
    }
    return write(this.#server.run, target, transaction, packed, ground);
  }

  /** Other work under the lock, committed with its end. */
  async commit(work: (run: Run) => Promise<void>): Promise<void> {
    await work(this.#held.run);
    const { command } = await this.#end(COMMIT);
    if (command !== "COMMIT") throw new Error("The server did not commit.");
  }

  /** Gives the lock back, whatever state the connection is in. */
  async free(): Promise<void> {
    if (this.#isOpen) await this.#end(ROLLBACK).catch(() => undefined);
  }

  async #end(statement: Statement) {
    this.#isOpen = false;
    let isClean = false;
    try {
      const result = await this.#held.run(statement, []);
      isClean = true;
      return result;
    } finally {
      this.#held.release(isClean);
    }
  }
}

const lockRow = async (run: Run, { store }: Address): Promise<number | undefined> =>
  (await run<{ seq: number }>(LOCK, [store])).rows[0]?.seq;

async function newRow(run: Run, address: Address): Promise<number> {
  await run(NEW, [address.store, address.name]);
  return (await lockRow(run, address))!;
}
