import {
  type BranchName,
  bootTime,
  type Clock,
  idGenerator,
  type MemoryId,
  PalimpsestError,
  type Random,
} from "../base/index.js";
import type { HealthOptions, HealthReport } from "../care/index.js";
import type { EmbedderChoice } from "../embed/index.js";
import type { Tip } from "../ledger/index.js";
import type { Storage } from "../storage/index.js";
import type { Embedding } from "./embedding.js";
import { EMBEDDED } from "./embedding-note.js";
import { Reader } from "./reader.js";
import { Upkeep } from "./upkeep.js";
import { Views } from "./views.js";
import { Watch } from "./watch.js";
import { readHead, Writer } from "./writer.js";

const STAY_MS = 2_000;

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
  readonly #embedder: EmbedderChoice | undefined;
  #embedding: Embedding | undefined;
  #stay: NodeJS.Timeout | undefined;

  /** One line for whoever keeps a log of what happened. */
  readonly log: (line: string) => void;

  constructor(
    storage: Storage,
    clock: Clock,
    random: Random,
    {
      log = () => undefined,
      embedder,
    }: {
      readonly log?: ((line: string) => void) | undefined;
      readonly embedder?: EmbedderChoice | undefined;
    } = {},
  ) {
    this.log = log;
    this.#embedder = embedder;
    this.storage = storage;
    this.#upkeep = new Upkeep(storage);
    this.watch = new Watch(storage);
    this.clock = clock;
    this.random = random;
    this.newId = idGenerator(clock, random);
    this.reader = new Reader(storage, () => this.#forget());
    this.views = new Views(this.reader);
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
    this.#embedding?.forget();
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

  /** The vectors of the store; nothing of them is loaded before the first call. */
  async embedding(): Promise<Embedding> {
    const { Embedding } = await import("./embedding.js");
    this.assertOpen();
    this.#embedding ??= new Embedding(this, this.#embedder);
    return this.#embedding;
  }

  get vectorsInUse(): boolean {
    return this.#embedding?.isInUse === true;
  }

  /** Has anybody, here or elsewhere, embedded something of this store? Costs one look. */
  async hasVectors(): Promise<boolean> {
    return (await this.storage.side(EMBEDDED)) !== undefined;
  }

  /** Whoever searches and is still here a while later gets vectors; a process that ends before never loads a model. */
  staying(branch: BranchName): void {
    this.#stay ??= setTimeout(() => {
      void this.embedding().then(
        (embedding) => embedding.start(branch),
        () => undefined,
      );
    }, STAY_MS).unref();
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

  async health(options: HealthOptions | undefined): Promise<HealthReport> {
    this.assertOpen();
    const { checkHealth } = await import("../care/index.js");
    const clockSetBy = bootTime() - this.#booted;
    return checkHealth(this.storage, { clock: this.clock, clockSetBy }, options);
  }

  /** Resolves when no write and no upkeep is under way. */
  async settle(): Promise<void> {
    await this.writer.idle();
    await this.#upkeep.settle();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    clearTimeout(this.#stay);
    await this.#embedding?.close();
    await this.settle();
    await this.writer.storeNodes().catch(() => undefined);
    await this.views.close();
    this.#closed = true;
    this.watch.end();
    await this.storage.close();
  }
}
