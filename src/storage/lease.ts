import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Note, Storage } from "./port.js";

/** A holder gives a sign of life this often … */
const BEAT_MS = 120;
/** … and is taken for dead after this long without one. */
const SILENCE_MS = 600;
const LOOK_MS = 60;

/**
 * Work that only one process should do. No wall clock and no process id decides: a holder gives signs of life, and
 * another takes over when it has watched for a while, by its own monotonic clock, and seen none. A holder that could
 * not give one for as long stops by itself, and it started counting earlier; so there are never two.
 */
export interface Lease {
  /** Grows from holder to holder. */
  readonly fence: number;
  /** For transactions made under the lease: stale as soon as somebody else has it, however late they come. */
  readonly guard: Note;
  /** Ask before each step: a lease can be lost, for instance by a process that was stopped for a while. */
  readonly isHeld: boolean;
  release(): Promise<void>;
}

/** The lease, or undefined when another process holds it and is alive. Takes less than a second to find out. */
export async function acquireLease(storage: Storage, name: string): Promise<Lease | undefined> {
  const key = keyOf(name);
  const found = await storage.side(key);
  const holder = holderIn(found);
  if (holder.owner !== null && (await isAlive(storage, key, found))) return undefined;
  const fence = holder.fence + 1;
  const guard = { key, value: JSON.stringify({ fence, owner: newOwner() }) };
  const started = performance.now();
  if (!(await storage.setSide(key, guard.value, found ?? null))) return undefined;
  return new HeldLease(storage, fence, guard, started);
}

/** For people: who has a lease, and whether it still gives signs of life. */
export async function leaseState(storage: Storage, name: string): Promise<"free" | "held" | "stale"> {
  const key = keyOf(name);
  const found = await storage.side(key);
  if (holderIn(found).owner === null) return "free";
  return (await isAlive(storage, key, found)) ? "held" : "stale";
}

const keyOf = (name: string): string => `lease/${name}`;
const beatOf = (key: string): string => `${key}/beat`;

interface Holder {
  readonly fence: number;
  readonly owner: string | null;
}

/** A note that says nothing sensible is nobody's; but its writer gets the time to show a sign of life. */
function holderIn(note: string | undefined): Holder {
  if (note === undefined) return { fence: 0, owner: null };
  try {
    const { fence, owner } = JSON.parse(note) as Partial<Holder>;
    if (Number.isSafeInteger(fence)) return { fence: fence as number, owner: owner ?? null };
  } catch {
    // Falls through to the unknown holder.
  }
  return { fence: 0, owner: "unknown" };
}

/** The process and its start are for people; the random part makes it one holder's and no other's. */
function newOwner(): string {
  const start = Math.round(performance.timeOrigin).toString(36);
  return `${process.pid}-${start}-${randomBytes(12).toString("hex")}`;
}

async function isAlive(storage: Storage, key: string, found: string | undefined): Promise<boolean> {
  const beat = await storage.side(beatOf(key));
  for (const end = performance.now() + SILENCE_MS; performance.now() < end; ) {
    await sleep(LOOK_MS);
    if ((await storage.side(key)) !== found || (await storage.side(beatOf(key))) !== beat) return true;
  }
  return false;
}

class HeldLease implements Lease {
  readonly #storage: Storage;
  #lastBeat: number;
  #beats = 0;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;

  constructor(
    storage: Storage,
    readonly fence: number,
    readonly guard: Note,
    started: number,
  ) {
    this.#storage = storage;
    this.#lastBeat = started;
    this.#schedule();
  }

  get isHeld(): boolean {
    return !this.#ended && performance.now() - this.#lastBeat < SILENCE_MS;
  }

  async release(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#beating;
    const free: Holder = { fence: this.fence, owner: null };
    await this.#storage.setSide(this.guard.key, JSON.stringify(free), this.guard.value);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat();
    }, BEAT_MS).unref();
  }

  /** Counts from before the sign is given: a process that watches has seen it later, and waits the longer. */
  async #beat(): Promise<void> {
    const started = performance.now();
    const { key, value } = this.guard;
    try {
      if (!this.isHeld || (await this.#storage.side(key)) !== value) {
        this.#ended = true;
        return;
      }
      await this.#storage.setSide(beatOf(key), `${this.fence}.${++this.#beats}`);
      this.#lastBeat = started;
    } catch {
      // A storage that fails now and then costs the lease only if it does so for long.
    }
    if (!this.#ended) this.#schedule();
  }
}
