import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PalimpsestError } from "../../core/base/index.js";
import { storageError } from "./errors.js";

/** What is acknowledged was looked after this long ago at most: three calls of the system, so not with every write. */
const LOOK_MS = 1_000;
const LOGS = ["-wal", "-shm"] as const;

/** Which file it is, whatever it is called. */
interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

interface Seen extends Identity {
  isFile(): boolean;
  isDirectory(): boolean;
  readonly nlink: bigint;
  readonly birthtimeNs: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

interface Open {
  readonly store: Seen;
  /** Of the log and its map, in this order; undefined when it could not be seen. */
  readonly logs: readonly (Identity | undefined)[];
}

/** Why nothing may be written by the connection that is open, and what can still be saved. */
export interface Lost {
  readonly error: PalimpsestError;
  /** What is in the log can go into the file: it has not yet, and nobody has folded another log into it. */
  readonly canFold: boolean;
}

/**
 * Does the path of the store still lead to the file that is open, and its log to the log? SQLite goes on writing into a file
 * that was moved, removed or replaced, or whose log was, and nobody would ever read that. Looked up by `stat` alone: to open
 * the file and close it again would drop all locks that this process has on it.
 */
export class Whereabouts {
  readonly #path: string;
  #open: Open | undefined;
  #lookAgain = 0;
  /** When all was last seen in its place. */
  #seenAt = 0;
  #last: Lost | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Has a store been open here? Then one that is not there any more has gone. */
  get isKnown(): boolean {
    return this.#open !== undefined;
  }

  /**
   * What lies at the path before it is opened; undefined when nothing does, and never did. A file with a second name has a
   * second log there, and what one of both holds is lost.
   */
  look(): Seen | undefined {
    const seen = this.#stat();
    if (!seen) {
      if (this.#open) throw this.#gone();
      return undefined;
    }
    if (!seen.isFile() && !seen.isDirectory())
      throw new PalimpsestError("STORE_UNREADABLE", `What lies at ${this.#path} is no file.`);
    this.#assertOneName(seen);
    this.#assertPlainBeside();
    if (isMountedAlone(this.#path))
      throw new PalimpsestError(
        "STORE_LINKED",
        `The file of the store is mounted by itself, without the log beside it: ${this.#path}.`,
        { hint: "Mount the folder of the store instead of its file." },
      );
    if (this.#open && !isSameFile(this.#open.store, seen)) throw this.#replaced();
    return seen;
  }

  /** It was opened, having been seen as this before: false when it was another one by the time it was open. */
  opened(before: Seen): boolean {
    const store = this.#stat();
    if (!store || !isSame(before, store)) return false;
    this.#open = { store, logs: this.#logs() };
    this.#last = undefined;
    this.#seenAt = performance.now();
    this.#lookAgain = this.#seenAt + LOOK_MS;
    return true;
  }

  /** Undefined as long as all is in its place. Whatever was put back is in its place again. */
  lost({ now = false } = {}): Lost | undefined {
    if (!this.#open) return undefined;
    if (!now && !this.#last && performance.now() < this.#lookAgain) return undefined;
    const found = this.#find(this.#open);
    this.#last = found && { ...found, canFold: found.canFold && this.#last === undefined };
    this.#lookAgain = performance.now() + LOOK_MS;
    return this.#last;
  }

  #find(open: Open): Lost | undefined {
    let store: Seen | undefined;
    try {
      store = this.#stat();
      if (store) this.#assertOneName(store);
    } catch (error) {
      if (!(error instanceof PalimpsestError)) throw error;
      return { error, canFold: this.#isUntouched(open.store, store) };
    }
    if (!store || !isSame(open.store, store))
      return {
        error: store ? this.#replaced() : this.#gone(),
        canFold: this.#isUntouched(open.store, descriptorOf(open.store)),
      };
    const logs = this.#logs();
    const at = open.logs.findIndex((log, which) => log && !isSame(log, logs[which]));
    if (at >= 0) {
      const isMapReplaced =
        logs[1] !== undefined && open.logs[1] !== undefined && !isSame(open.logs[1], logs[1]);
      const file = realOf(this.#path) + LOGS[at];
      const how = logs[at] ? "replaced" : "removed";
      return {
        error: new PalimpsestError(
          "STORE_MOVED",
          `The log of the store was ${how} while it was open: ${file}.`,
          {
            hint: "Nothing is written any more. Start every program anew that has the store open; never remove or copy over the files beside the store while it is in use.",
          },
        ),
        canFold: !isMapReplaced && this.#isUntouched(open.store, store),
      };
    }
    // Checkpoints of whomever change its size and its times.
    this.#open = { ...open, store };
    this.#seenAt = performance.now();
    return undefined;
  }

  /**
   * Nobody has folded another log into it: what changed it since it was looked at is of those who have this log too, when
   * that was a moment ago, and may be of somebody who found it elsewhere without its log, when it was not.
   */
  #isUntouched(before: Seen, now: Seen | undefined): boolean {
    if (performance.now() - this.#seenAt < 2 * LOOK_MS) return true;
    return before.mtimeNs === now?.mtimeNs && before.size === now.size;
  }

  #stat(): Seen | undefined {
    try {
      const seen = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
      if (seen) return seen;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTDIR" || !this.#open)
        throw storageError(error, dirname(this.#path));
    }
    return undefined;
  }

  #logs(): Open["logs"] {
    const real = realOf(this.#path);
    return LOGS.map((name) => statSync(real + name, { bigint: true, throwIfNoEntry: false }));
  }

  #assertOneName(seen: Seen): void {
    if (seen.isFile() && seen.nlink > 1n && seen.nlink > 1n + namesInMaking(realOf(this.#path), seen))
      throw new PalimpsestError(
        "STORE_LINKED",
        `The file of the store has ${seen.nlink} names: ${this.#path}.`,
      );
  }

  /** SQLite opens what lies beside the store without looking: a pipe there would be waited for. */
  #assertPlainBeside(): void {
    const real = realOf(this.#path);
    for (const name of [...LOGS, "-journal"]) {
      const found = lstatSync(real + name, { throwIfNoEntry: false });
      if (found && !found.isFile())
        throw new PalimpsestError(
          "STORE_UNREADABLE",
          `What lies beside the store is no file: ${real}${name}.`,
          {
            hint: "The store makes its own files there: take it away.",
          },
        );
    }
  }

  #gone(): PalimpsestError {
    return new PalimpsestError(
      "STORE_MOVED",
      `The store was moved or removed while it was open: nothing lies at ${this.#path} any more.`,
    );
  }

  #replaced(): PalimpsestError {
    return new PalimpsestError(
      "STORE_MOVED",
      `The store was replaced while it was open: another file lies at ${this.#path}.`,
    );
  }
}

const isSame = (a: Identity, b: Identity | undefined): boolean => a.ino === b?.ino && a.dev === b.dev;

/** Of one that was closed meanwhile the number may have been given to another. */
const isSameFile = (a: Seen, b: Seen): boolean => isSame(a, b) && a.birthtimeNs === b.birthtimeNs;

/** A file that is open, wherever it was moved to, as far as the system tells without opening it again. */
function descriptorOf(file: Identity): Seen | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    for (const name of readdirSync(DESCRIPTORS)) {
      const seen = statSync(join(DESCRIPTORS, name), { bigint: true, throwIfNoEntry: false });
      if (seen && isSame(file, seen)) return seen;
    }
  } catch {
    // Without it nothing is known of the file.
  }
  return undefined;
}

const DESCRIPTORS = "/proc/self/fd";

const MADE = /^\.\d+\.[0-9a-f]{12}\.tmp$/;

/** Of one that is being created, or whose creator was killed: the name it was built under goes at once or never. */
function namesInMaking(file: string, seen: Identity): bigint {
  const [directory, name] = [dirname(file), basename(file)];
  const names = readdirSync(directory).filter(
    (other) => other.startsWith(name) && MADE.test(other.slice(name.length)),
  );
  const same = names.filter((other) =>
    isSame(seen, statSync(join(directory, other), { bigint: true, throwIfNoEntry: false })),
  );
  return BigInt(same.length);
}

/** A container may be given the file alone: what it writes into its own log then ends with it. */
function isMountedAlone(path: string): boolean {
  if (process.platform !== "linux") return false;
  let mounts: string;
  try {
    mounts = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return false;
  }
  if (!mounts.includes(basename(path))) return false;
  const real = realOf(path);
  return mounts.split("\n").some((line) => {
    const at = line
      .split(" ")[4]
      ?.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
    return at === real;
  });
}

/** Where the file lies: its log lies there too, and not beside a link that leads to it. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** A link that leads nowhere, as to a disk that is not there now, is no place where a store could be made. */
export function danglingLink(path: string): string | undefined {
  for (const at of [path, dirname(path)])
    if (
      lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() &&
      !statSync(at, { throwIfNoEntry: false })
    )
      return at;
  return undefined;
}
