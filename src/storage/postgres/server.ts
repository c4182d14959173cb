import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Pool, PoolClient, QueryResult, QueryResultRow } from "pg";
import { type ErrorCode, PalimpsestError } from "../../core/base/index.js";
import { closedError } from "../port.js";
import { STEPS } from "./schema.js";
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

type Driver = typeof import("pg");

/** Teams that use PostgreSQL install the driver; it is loaded when a store there is first asked for something. */
export async function loadDriver(load: () => Promise<unknown> = () => import("pg")): Promise<Driver> {
  try {
    const module = (await load()) as { readonly default?: Driver } & Driver;
    return module.default ?? module;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new PalimpsestError("DRIVER_MISSING", "Stores in PostgreSQL need the package `pg`.", { cause });
  }
}

/** The lock that a process takes to create or change the schema; "palimpse" in ASCII. */
const LOCK = "8097873569003301733";

const FIND = {
  name: "find",
  text: `SELECT relname::text AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
    WHERE nspname = 'palimpsest' AND relkind IN ('r', 'p')`,
};
const VERSION = { name: "format", text: "SELECT version FROM palimpsest.format" };
/** Said once in the life of a store, so not worth preparing; and several in one text cannot be. */
const plain = (text: string) => ({ text });

/** Is our schema there, and do we understand it? */
export class Setup {
  readonly #server: Server;
  readonly #location: string;
  #ready = false;
  #looking: Promise<boolean> | undefined;

  constructor(server: Server, location: string) {
    this.#server = server;
    this.#location = location;
  }

  /** Asked once per need until the schema is there; from then on it costs nothing. */
  async isThere(): Promise<boolean> {
    if (this.#ready) return true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<boolean> {
    const version = await versionOf(this.#server.run, this.#location);
    if (version === undefined) return false;
    if (version < STEPS.length) await this.#build();
    this.#ready = true;
    return true;
  }

  /** Makes the schema, or brings it up to date. Several that try it at once take turns. */
  async ensure(): Promise<void> {
    if (await this.isThere()) return;
    await this.#build();
    this.#ready = true;
  }

  #build(): Promise<void> {
    return this.#server.persist(async () => {
      const { run, release } = await this.#server.hold();
      let isDone = false;
      try {
        await run(plain("BEGIN"), []);
        await run(plain(`SELECT pg_advisory_xact_lock(${LOCK})`), []);
        const before = await versionOf(run, this.#location);
        if (before === undefined) await run(plain("CREATE SCHEMA IF NOT EXISTS palimpsest"), []);
        for (const step of STEPS.slice(before ?? 0)) await run(plain(step), []);
        await run(plain(`UPDATE palimpsest.format SET version = ${STEPS.length}`), []);
        await run(plain("COMMIT"), []);
        isDone = true;
      } finally {
        release(isDone);
      }
    });
  }
}

/** The version of the schema, undefined where there is none. */
async function versionOf(run: Run, location: string): Promise<number | undefined> {
  const { rows: tables } = await run<{ name: string }>(FIND, []);
  if (tables.length === 0) return undefined;
  if (!tables.some(({ name }) => name === "format"))
    throw new PalimpsestError("NOT_A_STORE", `The schema palimpsest is another program's: ${location}.`, {
      hint: "Choose another database.",
    });
  const version = (await run<{ version: number }>(VERSION, [])).rows[0]?.version ?? 0;
  if (version > STEPS.length)
    throw new PalimpsestError("STORE_NEWER", `The store was made by a newer program: ${location}.`);
  return version;
}

/** By SQLSTATE, or the first characters of one; the longest that fits counts. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  "08": "STORE_UNREADABLE", // connection
  "25006": "STORE_READONLY", // a standby, or a read-only session
  "28": "STORE_UNREADABLE", // user or password
  "3D000": "STORE_UNREADABLE", // no such database
  "3F000": "DAMAGED", // our schema is gone
  "40": "STORE_BUSY", // serialization failures, deadlocks
  "42501": "STORE_READONLY", // privileges
  "42": "DAMAGED", // tables and functions are not as we made them
  "53100": "STORE_FULL",
  "53300": "STORE_BUSY", // too many connections
  "53": "STORE_IO",
  "54": "INVALID_VALUE", // too big
  "55P03": "STORE_BUSY", // the lock was not to be had in time
  "57014": "STORE_BUSY", // cancelled, by a time limit for instance
  "57": "STORE_UNREADABLE", // shutting down, starting up
  "58": "STORE_IO",
  XX001: "DAMAGED",
  XX002: "DAMAGED",
};

const WHAT: Partial<Record<ErrorCode, readonly [what: string, hint: string]>> = {
  STORE_UNREADABLE: [
    "The server of the store cannot be reached",
    "Check that it runs, and host, port, database, user and password.",
  ],
  STORE_BUSY: ["The store is in use by others", "Others kept the store locked for too long. Try again."],
  STORE_IO: ["The server of the store failed", "Nothing was acknowledged. Look into the server's log."],
  STORE_READONLY: [
    "The store cannot be written",
    "Give this role the privileges listed in docs/postgres.md, and connect to the primary server.",
  ],
  STORE_FULL: ["The disk of the server is full", "Free some space there; nothing was written."],
  DAMAGED: [
    "The tables of the store are not as they were made",
    "Look into the database; restore it from a backup.",
  ],
  INVALID_VALUE: ["This is too big for the server", "Write it in smaller parts."],
};

interface ServerError extends Error {
  readonly code?: string;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as ServerError).code : undefined;

const isSqlState = (code: string | undefined): code is string =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);

const NETWORK = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOENT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "EADDRNOTAVAIL"],
]);

/** The connection went, or could not be made; what was under way may have arrived or not. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof PalimpsestError) return false;
  const code = codeOf(error);
  if (isSqlState(code)) return code.startsWith("08") || /^57P0[1235]$/.test(code);
  if (code !== undefined && NETWORK.has(code)) return true;
  // The driver's own words have no code.
  return /connection (terminated|ended|error)|timeout.{0,200}connect|not queryable/i.test(error.message);
}

/** Certificates, passwords that are missing, a server without TLS: Node and the driver report them by many codes or none. */
const isTurnedAway = (error: Error): boolean =>
  /CERT|TLS|SSL|EPROTO|UNABLE_TO/.test(codeOf(error) ?? "") || /\bSSL\b|\bSASL\b/.test(error.message);

/** It did not happen, and may well if it is asked again. */
export const isRefusedForNow = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === "40001" || code === "40P01" || code === "53300";
};

/** A typed error with the cause kept; what is not an error of the server (a bug, say) passes unchanged. */
function storageError(error: unknown, location: string): unknown {
  if (error instanceof PalimpsestError || !(error instanceof Error)) return error;
  const state = codeOf(error);
  const code = isSqlState(state)
    ? ((CODES[state] ?? CODES[state.slice(0, 2)] ?? "STORE_IO") as ErrorCode)
    : isLost(error) || isTurnedAway(error)
      ? "STORE_UNREADABLE"
      : undefined;
  if (code === undefined) return error;
  const [what, hint] = WHAT[code]!;
  return new PalimpsestError(code, `${what}: ${location} (${error.message}).`, { cause: error, hint });
}
