import { PalimpsestError } from "../../core/base/index.js";
import { STEPS } from "./schema.js";
import type { Run, Server } from "./server.js";

/** Taken by whoever creates or changes the schema; "palimpse" in ASCII. */
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
