import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Pool, PoolClient, QueryResult, QueryResultRow } from "pg";
import { closedError } from "../closed.js";
import { type Driver, loadDriver } from "./driver.js";
import { isLost, isRefusedForNow, storageError } from "./errors.js";
import type { Address } from "./url.js";

/** One statement of ours; by its name, if it has one, a connection prepares it once. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Runs a statement: on any connection, or on the one that a transaction is held on. */
export type Run = <Row extends QueryResultRow>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<QueryResult<Row>>;

/** One connection, kept for a transaction of several statements. */
export interface Held {
  readonly run: Run;
  /** Only one with nothing left open is used again. */
  release(isClean: boolean): void;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;
const IDLE_MS = 30_000;
const CONNECT_MS = 10_000;

/** The connections to the server: made when needed, made again when they were lost. */
export class Server {
  readonly #address: Address;
  readonly #patienceMs: number;
  #driver: Promise<Driver> | undefined;
  #pool: Promise<Pool> | undefined;
  #wasReached = false;
  #ended = false;

  constructor(address: Address, patienceMs: number) {
    this.#address = address;
    this.#patienceMs = patienceMs;
  }

  /** For the server: how long to wait for a lock. */
  get patience(): string {
    return `${this.#patienceMs}ms`;
  }

  /** On any connection. What is given must be safe to be asked twice. */
  readonly run: Run = (statement, values) => this.persist(() => this.once(statement, values));

  /** On any connection, without trying again. */
  readonly once: Run = async <Row extends QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
  ) => {
    const pool = await this.#connections();
    return pool.query<Row>(this.#query(statement, values));
  };

  /** Does it again after lost connections and conflicts, for as long as we are patient. */
  async persist<T>(attempt: (isAgain: boolean) => Promise<T>): Promise<T> {
    const end = performance.now() + this.#patienceMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const result = await attempt(pause > FIRST_PAUSE_MS);
        this.#wasReached = true;
        return result;
      } catch (error) {
        if (!this.#isWorthTrying(error) || performance.now() + pause > end || this.#ended)
          throw storageError(error, this.#address.location);
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  }

  /** A server that was never reached is more likely named wrongly than starting again; unless it says so itself. */
  #isWorthTrying(error: unknown): boolean {
    if (isRefusedForNow(error)) return true;
    return isLost(error) && (this.#wasReached || (error as { code?: unknown }).code === "57P03");
  }

  /** A connection for several statements, until it is released. */
  async hold(): Promise<Held> {
    const pool = await this.#connections();
    const client: PoolClient = await pool.connect();
    let isBroken = false;
    // A held connection that dies between two statements says so here; the next statement finds out.
    const onError = () => {
      isBroken = true;
    };
    client.on("error", onError);
    return {
      run: (statement, values) => client.query(this.#query(statement, values)),
      release: (isClean) => {
        client.off("error", onError);
        client.release(isBroken || !isClean);
      },
    };
  }

  /** A connection of its own that keeps no process alive: for listening. */
  async connect(): Promise<Client> {
    const { Client } = await this.#load();
    const client = new Client(this.#config());
    client.on("error", () => undefined);
    await client.connect();
    (client as Client & { unref(): void }).unref();
    return client;
  }

  async end(): Promise<void> {
    this.#ended = true;
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.end();
  }

  #query({ name, text }: Statement, values: readonly unknown[]) {
    return { ...(name && this.#address.prepare && { name: `pal_${name}` }), text, values: [...values] };
  }

  #load(): Promise<Driver> {
    this.#driver ??= loadDriver();
    return this.#driver;
  }

  #config() {
    return {
      connectionString: this.#address.connectionString,
      application_name: "palimpsest",
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    };
  }

  #connections(): Promise<Pool> {
    if (this.#ended) throw closedError(this.#address.location);
    this.#pool ??= this.#open();
    return this.#pool;
  }

  async #open(): Promise<Pool> {
    const { Pool } = await this.#load();
    const limits = { max: this.#address.connections, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true };
    const pool = new Pool({ ...this.#config(), ...limits });
    // An idle connection that is lost is replaced when the next one is needed.
    pool.on("error", () => undefined);
    return pool;
  }
}
