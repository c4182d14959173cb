import {
  type Clock,
  type Hash,
  MAIN,
  PalimpsestError,
  type Timestamp,
  timestamp,
} from "../core/base/index.js";
import { decodeObject } from "../core/ledger/index.js";
import { firstHead, leaseState, type Storage } from "../storage/index.js";
import {
  type HealthProblem,
  type HealthProblemName,
  healthProblem,
  storageFinding,
} from "./health-problems.js";
import type { HealthOptions } from "./options.js";
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
      // A cause that stops reading stops writing too; told once.
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
