import {
  type BranchName,
  type Clock,
  idGenerator,
  type MemoryId,
  PalimpsestError,
  type Random,
} from "../base/index.js";
import type { EmbedderChoice } from "../embed/index.js";
import type { Tip } from "../ledger/index.js";
import type { Storage } from "../storage/index.js";
import type { Embedding } from "./embedding.js";
import { Reader } from "./reader.js";
import { Upkeep } from "./upkeep.js";
import { readHead, Writer } from "./writer.js";

/** What sessions share: one reader, one writer queue, one idea of what the heads are. */
export class Engine {
  readonly storage: Storage;
  readonly reader: Reader;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: () => MemoryId;
  readonly #heads = new Map<BranchName, Tip>();
  readonly #sessions = new Map<string, Set<object>>();
  #seq = -1;
  #fresh = false;
  #closed = false;
  readonly #upkeep: Upkeep;
  readonly #embedder: EmbedderChoice | undefined;
  #embedding: Embedding | undefined;

  constructor(storage: Storage, clock: Clock, random: Random, embedder?: EmbedderChoice) {
    this.#embedder = embedder;
    this.storage = storage;
    this.#upkeep = new Upkeep(storage);
    this.clock = clock;
    this.random = random;
    this.newId = idGenerator(clock, random);
    this.reader = new Reader(storage);
    this.writer = new Writer(this.reader, clock, (droppable) => {
      this.#fresh = false;
      this.#upkeep.after(droppable);
      this.#embedding?.committed();
    });
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
      const { seq } = await this.storage.version();
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

  assertOpen(): void {
    if (this.#closed) throw new PalimpsestError("CLOSED", "The store is closed.");
  }

  /** The vectors of the store; nothing of them is loaded before the first call. */
  async embedding(): Promise<Embedding> {
    const { Embedding } = await import("./embedding.js");
    this.assertOpen();
    this.#embedding ??= new Embedding(this, this.#embedder);
    return this.#embedding;
  }

  addSession(id: string | undefined, session: object): void {
    if (id === undefined) return;
    const open = this.#sessions.get(id);
    if (open) open.add(session);
    else this.#sessions.set(id, new Set([session]));
  }

  /** Was this the last session with its id? */
  endSession(id: string | undefined, session: object): boolean {
    const open = id === undefined ? undefined : this.#sessions.get(id);
    return open?.delete(session) === true && open.size === 0;
  }

  /** Resolves when no write and no upkeep is under way. */
  async settle(): Promise<void> {
    await this.writer.idle();
    await this.#upkeep.settle();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#embedding?.close();
    await this.settle();
    await this.writer.storeNodes().catch(() => undefined);
    this.#closed = true;
    await this.storage.close();
  }
}
