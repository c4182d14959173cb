import {
  type BranchName,
  bootTime,
  type Clock,
  idGenerator,
  type MemoryId,
  PalimpsestError,
  type Random,
} from "../core/base/index.js";
import type { Tip } from "../core/ledger/index.js";
import type { Verdict } from "../gate/index.js";
import { type Storage, sweepScratchFolders } from "../storage/index.js";
import type { Chores, Companion, WrittenItem } from "./companion.js";
import { Views } from "./live/views.js";
import { Reader } from "./read/reader.js";
import { Watch } from "./watch.js";
import { readHead, Writer } from "./write/writer.js";

/** What distinguishes sessions. */
interface Named {
  readonly agent: string;
  readonly sessionId: string | undefined;
}

/** What sessions share: one reader, one writer queue, one idea of what the heads are. */
export class Engine {
  readonly storage: Storage;
  readonly reader: Reader;
  readonly writer: Writer;
  readonly views: Views;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: () => MemoryId;
  readonly #heads = new Map<BranchName, Tip>();
  readonly #sessions = new Map<string, Set<object>>();
  #seq = -1;
  #fresh = false;
  #closed = false;
  readonly #upkeep: Upkeep;
  readonly #booted = bootTime();
  readonly watch: Watch;
  readonly #companions: readonly Companion[];

  readonly #listeners = new Set<(line: string) => void>();

  constructor(
    storage: Storage,
    clock: Clock,
    random: Random,
    {
      log = () => undefined,
      companions = () => [],
      chores,
    }: {
      readonly log?: ((line: string) => void) | undefined;
      readonly companions?: (engine: Engine) => readonly Companion[];
      readonly chores?: Chores;
    } = {},
  ) {
    this.#listeners.add(log);
    this.storage = storage;
    this.#upkeep = new Upkeep(storage, clock, chores);
    this.watch = new Watch(storage);
    this.clock = clock;
    this.random = random;
    this.newId = idGenerator(clock, random);
    this.reader = new Reader(storage, () => this.#forget());
    this.views = new Views(this.reader);
    this.writer = new Writer(this.reader, clock, (droppable) => {
      this.#fresh = false;
      this.#upkeep.after(droppable);
      for (const one of this.#companions) one.committed?.();
    });
    this.#companions = companions(this);
  }

  /** One line for a program that keeps a log of what happened. */
  log(line: string): void {
    for (const listener of this.#listeners) listener(line);
  }

  /** Returns the way to stop listening. */
  onLog(listener: (line: string) => void): () => void {
    // One that is given twice is called twice, and each can be stopped alone.
    const own = (line: string) => listener(line);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Was the store looked at in this turn of the event loop? Then it need not be asked again. */
  get isFresh(): boolean {
    return this.#fresh;
  }

  knownHead(branch: BranchName): Tip | undefined {
    return this.#heads.get(branch);
  }

  /** The head of a branch, as of this turn of the event loop. */
  async head(branch: BranchName): Promise<Tip> {
    if (!this.#fresh) {
      const { seq } = await this.reader.version();
      if (seq !== this.#seq) this.#heads.clear();
      this.#seq = seq;
      this.#fresh = true;
      setImmediate(() => {
        this.#fresh = false;
      });
    }
    const known = this.#heads.get(branch);
    if (known) return known;
    const { tip } = await readHead(this.reader, branch);
    this.#heads.set(branch, tip);
    return tip;
  }

  /** Something was erased, here or elsewhere. */
  #forget(): void {
    this.#heads.clear();
    this.views.forget();
    for (const one of this.#companions) one.erased?.();
  }

  /** Refs were moved past the writer: what is known of heads has to be asked again. */
  forgetHeads(): void {
    this.#fresh = false;
    this.#heads.clear();
    this.writer.forgetHead();
  }

  assertOpen(): void {
    if (this.#closed) throw new PalimpsestError("CLOSED", "The store is closed.");
  }

  /** What goes along with this store, by its class; it is given when the store is opened. */
  companion<T extends Companion>(kind: abstract new (...args: never[]) => T): T {
    const found = this.#companions.find((one): one is T => one instanceof kind);
    if (!found) throw new Error(`The store was opened without ${kind.name}.`);
    return found;
  }

  /** Tells what goes along with this store of memories that were written, and waits for what it does with them. */
  written(items: readonly WrittenItem[], verdicts: readonly Verdict[]): Promise<void> | undefined {
    let done: Promise<void> | undefined;
    for (const one of this.#companions) {
      const work = one.written?.(items, verdicts);
      if (work) done = done ? done.then(() => work) : work;
    }
    return done;
  }

  addSession({ agent, sessionId }: Named, session: object): void {
    if (sessionId === undefined) return;
    const name = `${agent} ${sessionId}`;
    const open = this.#sessions.get(name);
    if (open) open.add(session);
    else this.#sessions.set(name, new Set([session]));
  }

  /** Was this the last session of its agent with its id? */
  endSession({ agent, sessionId }: Named, session: object): boolean {
    const open = sessionId === undefined ? undefined : this.#sessions.get(`${agent} ${sessionId}`);
    return open?.delete(session) === true && open.size === 0;
  }

  /** How far the clock of the system was set since the store was opened, in milliseconds. */
  get clockSetBy(): number {
    return bootTime() - this.#booted;
  }

  /** Resolves when no write and no upkeep is under way. */
  async settle(): Promise<void> {
    await this.writer.idle();
    await this.#upkeep.settle();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    for (const one of this.#companions) await one.close();
    await this.settle();
    await this.writer.storeNodes().catch(() => undefined);
    await this.views.close();
    this.#closed = true;
    this.watch.end();
    await this.storage.close();
  }
}

/**
 * Transactions between two looks at what is to be done; each look costs a little. Those that come while one is at work
 * count for the next, and closing the store looks once more.
 */
const EVERY = 256;
/** Nodes of passing states, left by bulk writes, that are worth a walk to drop them. */
const MANY_NODES = 100_000;

/**
 * What writes leave to be done: indexes, checkpoints of the file, expired scratchpads, what a killed process left, dropping derived nodes. It happens after the
 * writers were answered, one at a time, and never fails a write; what could not be done now is done next time.
 */
export class Upkeep {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #chores: Chores | undefined;
  #running: Promise<void> | undefined;
  #waiting = 0;
  #droppable = 0;

  constructor(storage: Storage, clock: Clock, chores?: Chores) {
    this.#storage = storage;
    this.#clock = clock;
    this.#chores = chores;
  }

  after(droppable: number): void {
    this.#waiting++;
    this.#droppable += droppable;
    if (this.#waiting >= EVERY || this.#droppable >= MANY_NODES) this.#running ??= this.#run();
  }

  /** Ends when nothing is left to be done. */
  async settle(): Promise<void> {
    while (this.#waiting > 0 || this.#running) {
      this.#running ??= this.#run();
      await this.#running;
    }
  }

  /** Once, even if writes go on meanwhile: they wait for their turn as the ones before them did. */
  async #run(): Promise<void> {
    do {
      this.#waiting = 0;
      await new Promise((resume) => setImmediate(resume));
      await this.#step();
    } while (this.#waiting >= EVERY);
    this.#running = undefined;
  }

  async #step(): Promise<void> {
    try {
      await this.#chores?.sweep(this.#clock());
      await sweepScratchFolders(this.#storage);
      await this.#storage.tend();
      if (this.#droppable < MANY_NODES) return;
      this.#droppable = 0;
      await this.#chores?.thin();
    } catch {
      // Nothing is lost by upkeep left undone; a store that fails says so at the next read or write.
    }
  }
}
