import type { StorageProblem } from "../storage/index.js";
import { isDerived } from "./problems.js";

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

export type HealthProblemName = keyof typeof HEALTH;

export function healthProblem(problem: HealthProblemName, object: string): HealthProblem {
  const [severity, meaning, next] = HEALTH[problem];
  return { problem, severity, object, meaning, next };
}

const REBUILD = "Run `pal rebuild`: nothing that was said is lost, and this is made again from it.";

/** What an adapter told of itself; what it found in its files comes under its own names. */
export function storageFinding({ problem, severity, object }: StorageProblem): HealthProblem {
  if (Object.hasOwn(HEALTH, problem)) return healthProblem(problem as HealthProblemName, object);
  const meaning = "The files of the store do not agree with themselves.";
  return { problem, severity, object, meaning, next: isDerived({ problem }) ? REBUILD : VERIFY };
}
