import {
  type Clock,
  type Hash,
  MAIN,
  PalimpsestError,
  type Timestamp,
  timestamp,
} from "../core/base/index.js";
import { decodeObject } from "../core/ledger/index.js";
import { firstHead, leaseState, type Storage, type StorageProblem } from "../storage/index.js";
import type { HealthOptions } from "./options.js";
import { isDerived } from "./problems.js";
import { THINNING } from "./thin.js";

/** How a store is, as far as one call can tell. */
export interface HealthReport {
  /** Nothing was found, no warning either. Whether memories can be read and written is said below. */
  readonly ok: boolean;
  readonly exists: boolean;
  readonly canRead: boolean;
  /** Found out by writing: a store that only looks writable is not. */
  readonly canWrite: boolean;
  readonly location: string;
  readonly engine?: string;
  readonly lastCommit?: Timestamp;
  /** How much waits for review, on all branches. */
  readonly waiting?: number;
  /** How much of files and indexes was looked at in the time that was given. */
  readonly checked: "everything" | "part" | "nothing";
  readonly problems: readonly HealthProblem[];
}

interface Surroundings {
  readonly clock: Clock;
  /** By how many milliseconds the system's clock was set since the store was opened. */
  readonly clockSetBy: number;
}

const MINUTE_MS = 60_000;
const PROBE = "health";

/** Never throws, except on a store that was closed: what fails is a finding. */
export async function checkHealth(
  storage: Storage,
  { clock, clockSetBy }: Surroundings,
  { budgetMs = 1_000 }: HealthOptions = {},
): Promise<HealthReport> {
  const problems: HealthProblem[] = [];
  const add = (problem: HealthProblemName, object: string) => problems.push(healthProblem(problem, object));
  const attempt = async <T>(problem: HealthProblemName, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PalimpsestError && error.code === "CLOSED") throw error;
      // A cause that stops reading stops writing too; reported once.
      const found = failed(problem, error);
      if (!problems.some(({ object }) => object === found.object)) problems.push(found);
      return undefined;
    }
  };

  const diagnosis = await attempt("cannot-look", () => storage.diagnose());
  problems.push(...(diagnosis?.problems ?? []).map(storageFinding));
  const exists = await attempt("cannot-read", () => storage.exists());
  const heads = exists ? await attempt("cannot-read", () => headTimes(storage)) : new Map();
  const canRead = exists !== undefined && heads !== undefined;
  const hasWritten = exists
    ? await attempt("cannot-write", () => storage.setSide(PROBE, timestamp(clock())))
    : !problems.some(({ severity }) => severity === "error");

  const waiting = exists ? await attempt("cannot-read", () => storage.refs("staging/")) : undefined;

  const last = [...(heads?.values() ?? [])].sort().at(-1) as Timestamp | undefined;
  if (last !== undefined && Date.parse(last) > clock() + MINUTE_MS)
    add("commits-in-the-future", `the last commit is dated ${last}, now is ${timestamp(clock())}`);
  if (Math.abs(clockSetBy) > MINUTE_MS)
    add("clock-was-set", `by ${(clockSetBy / 3_600_000).toFixed(2)} hours`);

  let checked: HealthReport["checked"] = "nothing";
  if (exists && canRead) {
    if ((await attempt("cannot-read", () => leaseState(storage, THINNING))) === "stale")
      add("lease-stale", THINNING);
    checked = (await attempt("cannot-read", () => lookAtFiles(storage, budgetMs, problems))) ?? "part";
  }
  return {
    ok: problems.length === 0,
    exists: exists ?? true,
    canRead,
    canWrite: hasWritten === true,
    location: storage.location,
    ...(diagnosis && { engine: diagnosis.engine }),
    ...(last !== undefined && { lastCommit: last }),
    ...(waiting && { waiting: waiting.size }),
    checked,
    problems,
  };
}

async function headTimes(storage: Storage): Promise<Map<Hash, Timestamp>> {
  const heads = await storage.refs("heads/");
  if (!heads.has(`heads/${MAIN}`)) await firstHead(storage);
  const targets = [...heads.values()].map(({ target }) => target);
  const times = new Map<Hash, Timestamp>();
  for (const [hash, bytes] of await storage.getMany(targets)) {
    try {
      times.set(hash, decodeObject("commit", bytes).time);
    } catch {
      // Damage is the business of the check below and of verify.
    }
  }
  return times;
}

async function lookAtFiles(
  storage: Storage,
  budgetMs: number,
  problems: HealthProblem[],
): Promise<HealthReport["checked"]> {
  const end = performance.now() + budgetMs;
  let isCut = false;
  const goOn = () => {
    isCut = performance.now() >= end;
    return !isCut;
  };
  for await (const found of storage.check(Number.isFinite(budgetMs) ? { goOn } : {}))
    problems.push(storageFinding(found));
  return isCut ? "part" : "everything";
}

/** An error with a code says more than where it was met. */
function failed(problem: HealthProblemName, error: unknown): HealthProblem {
  const known = healthProblem(problem, error instanceof Error ? error.message : String(error));
  return error instanceof PalimpsestError ? { ...known, problem: error.code, next: error.hint } : known;
}

export interface HealthProblem {
  /** A stable name: of the table below, of the adapter's check, or the code of the error that was met. */
  readonly problem: string;
  readonly severity: "error" | "warning";
  /** What it is about: a path, a figure, the words of the system. */
  readonly object: string;
  readonly meaning: string;
  /** What to do. */
  readonly next: string;
}

const VERIFY = "Run `pal verify` to see what is damaged, and restore a backup.";

/** What a look at a store can find: severity, what it means, what to do. */
const HEALTH = {
  "cannot-look": ["error", "The store cannot be looked at.", "Read the message and mend what it names."],
  "cannot-read": ["error", "The store cannot be read.", VERIFY],
  "cannot-write": [
    "error",
    "A small write failed: nothing new is remembered.",
    "Read the message and mend what it names.",
  ],
  "directory-read-only": [
    "error",
    "The directory of the store cannot be written, and SQLite needs files beside its own.",
    "Give yourself write permission to it, or choose another directory with --store.",
  ],
  "directory-closed": [
    "error",
    "The directory of the store may not be entered: it is somebody else's, or its permissions forbid it.",
    "See who owns it, or choose another directory with --store.",
  ],
  "not-a-directory": [
    "error",
    "What lies where the store should be is a file, and a store is a directory.",
    "Choose another directory with --store or $PAL_HOME.",
  ],
  "file-system-read-only": [
    "error",
    "The disk of the store is mounted so that nothing can be written to it.",
    "Mount it for writing, or choose another directory with --store.",
  ],
  "file-read-only": [
    "error",
    "The file of the store cannot be written.",
    "Give yourself write permission to it (chmod u+w), or see who owns it.",
  ],
  "disk-full": ["error", "There is no room for another write.", "Free some disk space."],
  "disk-nearly-full": ["warning", "There is room for a few more writes only.", "Free some disk space."],
  "network-file-system": [
    "warning",
    "Locks between machines cannot be relied on there.",
    "Move the store to a local disk, or let one machine only use it.",
  ],
  "log-long": [
    "warning",
    "The log was not folded into the file for long: a reader has been open all the time.",
    "Close programs that have the store open; the last one folds it.",
  ],
  "upkeep-waiting": [
    "warning",
    "Look-ups search recent writes one by one, so reads start slower.",
    "Nothing: the next writes catch up. If it stays, see that programs close the store when they end.",
  ],
  "lease-stale": [
    "warning",
    "A process that did background work was killed.",
    "Nothing: the next process that needs the lease takes it over within a second.",
  ],
  "server-read-only": [
    "error",
    "The server takes no writes.",
    "Connect to the primary server, with a session that may write.",
  ],
  "server-not-durable": [
    "warning",
    "What was acknowledged can be lost when the server's machine fails.",
    "Turn this setting on in the server's configuration.",
  ],
  "commits-in-the-future": [
    "warning",
    "This clock is behind, or was ahead when that commit was made; new commits are dated no earlier.",
    "Set the clock of this machine right. Reads by time (--at) are off until it has passed that time.",
  ],
  "clock-was-set": [
    "warning",
    "The clock was set while this program ran, so times of commits may be off.",
    "See that the clock is right now.",
  ],
} as const satisfies Record<string, readonly [HealthProblem["severity"], string, string]>;

type HealthProblemName = keyof typeof HEALTH;

function healthProblem(problem: HealthProblemName, object: string): HealthProblem {
  const [severity, meaning, next] = HEALTH[problem];
  return { problem, severity, object, meaning, next };
}

const REBUILD = "Run `pal rebuild`: nothing that was said is lost, and this is made again from it.";

/** What an adapter reported of itself; what it found in its files comes under its own names. */
function storageFinding({ problem, severity, object }: StorageProblem): HealthProblem {
  if (Object.hasOwn(HEALTH, problem)) return healthProblem(problem as HealthProblemName, object);
  const meaning = "The files of the store do not agree with themselves.";
  return { problem, severity, object, meaning, next: isDerived({ problem }) ? REBUILD : VERIFY };
}
