import { join, resolve } from "node:path";
import {
  type Clock,
  PalimpsestError,
  type Random,
  systemClock,
  systemRandom,
  unreadable,
} from "../core/base/index.js";
import { type GateConfig, rulesOf } from "../gate/index.js";
import { type JudgeChoice, Judging } from "../judge/index.js";
import type { MindOptions } from "../mind/index.js";
import { Mind } from "../mind/index.js";
import type { Chores } from "../repo/index.js";
import { action, anything, checkOptions, Engine, type Given, object, typed } from "../repo/index.js";
import type { EmbedderChoice } from "../search/index.js";
import { Vectors } from "../search/index.js";
import { isPostgresUrl, type Storage, sqliteStorage } from "../storage/index.js";
import { Store } from "./store.js";

const OPEN = {
  clock: typed<Clock>(action).as("what time it is"),
  random: typed<Random>(action).as("where random bytes come from"),
  gate: typed<GateConfig>(object).as("how writes are judged"),
  log: typed<(line: string) => void>(action).as(
    "gets one line for each event worth a log: a snapshot taken, a rollback",
  ),
  embedder: typed<EmbedderChoice>(anything).as(
    "what turns texts into vectors; $PAL_EMBEDDER, else the model that comes along, unless given; loaded when needed",
  ),
  judge: typed<JudgeChoice>(anything).as(
    "what tells which memory answers a question; $PAL_JUDGE, else the model that comes along, unless given; loaded when needed",
  ),
  mind: typed<MindOptions>(object).as(
    "a language model that may propose, what it may cost, and what is accepted without a person; none unless given",
  ),
};
export type OpenOptions = Given<typeof OPEN>;

/**
 * Opens a store: a directory for SQLite (default `$PAL_HOME`, else the platform's data directory), the URL of a
 * PostgreSQL database, or a storage of your own. Nothing is created before the first write.
 */
export async function openStore(location?: string | Storage, options: OpenOptions = {}): Promise<Store> {
  checkOptions("openStore", options, OPEN);
  rulesOf(options.gate);
  checkLocation(location);
  const storage =
    typeof location === "object" ? location : await storageAt(location ?? (await defaultLocation()));
  const { clock = systemClock, random = systemRandom(), embedder, log, gate, judge, mind } = options;
  const companions = (engine: Engine) => {
    const vectors = new Vectors(engine, embedder);
    // Closed in this order: the judge may run in the embedder's threads.
    return [new Judging(judge, () => vectors.threads()), vectors, new Mind(storage, mind)];
  };
  return new Store(new Engine(storage, clock, random, { log, companions, chores: choresOf(storage) }), gate);
}

/** The code of what is done now and then is loaded when it is done. */
export const choresOf = (storage: Storage): Chores => ({
  async sweep(now) {
    const { sweepScratch } = await import("../palace/scratchpad.js");
    await sweepScratch(storage, now);
  },
  async thin() {
    const { thinInTurn } = await import("../care/thin.js");
    await thinInTurn(storage);
  },
});

function checkLocation(location: unknown): void {
  const isPlace = typeof location === "string" && !location.includes("\0");
  const isStorage = isAStorage(location);
  if (location === undefined || isPlace || isStorage) return;
  throw new PalimpsestError(
    "INVALID_VALUE",
    typeof location === "string"
      ? "The place of a store holds a NUL character."
      : "A store is opened by its place, given as text, or by a storage.",
    { hint: "Give a directory, the URL of a PostgreSQL database, or a storage such as memoryStorage()." },
  );
}

function isAStorage(location: unknown): boolean {
  try {
    return typeof (location as Partial<Storage> | null | undefined)?.exists === "function";
  } catch (error) {
    throw unreadable(error);
  }
}

async function storageAt(location: string): Promise<Storage> {
  if (!isPostgresUrl(location)) return sqliteStorage(resolve(location));
  const { postgresStorage } = await import("../storage/postgres/index.js");
  return postgresStorage(location);
}

/** Where memories live when nobody says otherwise: never inside the package, which an update replaces. */
export async function defaultLocation(): Promise<string> {
  const home = process.env.PAL_HOME;
  if (home) return home;
  const { default: envPaths } = await import("env-paths");
  return join(envPaths("palimpsest", { suffix: "" }).data);
}
