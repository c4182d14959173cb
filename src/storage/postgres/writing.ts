import type { Transaction } from "../port.js";
import { isLost, isRefusedForNow } from "./errors.js";
import { canBeFirst, type Packed } from "./pack.js";
import type { Held, Run, Server, Statement } from "./server.js";
import type { Address } from "./url.js";

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
