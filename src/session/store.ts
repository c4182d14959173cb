import {
  type BranchName,
  type Clock,
  type Hash,
  idGenerator,
  MAIN,
  type MemoryId,
  PalimpsestError,
  parseBranch,
  parseName,
  parseScope,
  type Random,
  type Scope,
  SHARED,
} from "../base/index.js";
import { type VerifyOptions, type VerifyReport, verifyStore } from "../care/index.js";
import type { Author, Sensitivity, Tip, Trust } from "../ledger/index.js";
import type { Storage } from "../storage/index.js";
import { Reader } from "./reader.js";
import { Session } from "./session.js";
import { makeSight } from "./sight.js";
import { Upkeep } from "./upkeep.js";
import { readHead, Writer } from "./writer.js";

export interface SessionOptions {
  /** Who this is; its own scope is `agent/<name>`. */
  readonly agent?: string;
  /** What it sees: exact scopes or patterns; default `shared`, its own and its project's. */
  readonly scopes?: readonly string[];
  readonly project?: string;
  /** Where new memories go when no scope is named; default `shared`. */
  readonly home?: string;
  readonly clearance?: Sensitivity;
  readonly branch?: string;
  readonly sessionId?: string;
  /** The door it came through; default `library`. */
  readonly channel?: string;
  /** How far what it writes can be trusted, at most; default `agent`. Only the host program can say more. */
  readonly trust?: Trust;
}

/** What sessions share: one reader, one writer queue, one idea of what the heads are. */
export class Engine {
  readonly storage: Storage;
  readonly reader: Reader;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: () => MemoryId;
  readonly #heads = new Map<BranchName, Tip>();
  readonly #sessions = new Map<string, Set<Session>>();
  #seq = -1;
  #fresh = false;
  #closed = false;
  readonly #upkeep: Upkeep;

  constructor(storage: Storage, clock: Clock, random: Random) {
    this.storage = storage;
    this.#upkeep = new Upkeep(storage);
    this.clock = clock;
    this.random = random;
    this.newId = idGenerator(clock, random);
    this.reader = new Reader(storage);
    this.writer = new Writer(this.reader, clock, (isCheckpoint) => {
      this.#fresh = false;
      this.#upkeep.after(isCheckpoint);
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

  addSession(id: string | undefined, session: Session): void {
    if (id === undefined) return;
    const open = this.#sessions.get(id);
    if (open) open.add(session);
    else this.#sessions.set(id, new Set([session]));
  }

  /** Was this the last session with its id? */
  endSession(id: string | undefined, session: Session): boolean {
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
    await this.settle();
    this.#closed = true;
    await this.storage.close();
  }
}

const AUTHOR: Readonly<Record<Trust, Author["kind"]>> = {
  external: "agent",
  agent: "agent",
  user: "user",
  operator: "operator",
};

/** An open store. Everything that reads or writes memories goes through a session of it. */
export class Store {
  readonly #engine: Engine;

  /** Stores are made by `openStore()`. */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get location(): string {
    return this.#engine.storage.location;
  }
  /** Things a person should know, such as a network file system below the store. */
  get warnings(): readonly string[] {
    return this.#engine.storage.warnings;
  }
  /** Objects met so far that could not be read; reads go on with what is whole. */
  get damaged(): readonly Hash[] {
    return [...this.#engine.reader.damaged];
  }

  /** Is there anything yet? The first write creates the store. */
  exists(): Promise<boolean> {
    return this.#engine.storage.exists();
  }

  session(options: SessionOptions = {}): Session {
    const agent = parseName(options.agent ?? "default");
    const trust = options.trust ?? "agent";
    const own = [
      SHARED,
      `agent/${agent}`,
      ...(options.project === undefined ? [] : [`project/${options.project}`]),
    ];
    const sessionId = options.sessionId === undefined ? undefined : parseName(options.sessionId);
    const session = new Session(this.#engine, {
      agent,
      author: { kind: AUTHOR[trust], id: agent },
      sight: makeSight(options.scopes ?? own, options.clearance ?? "private"),
      branch: options.branch === undefined ? MAIN : parseBranch(options.branch),
      sessionId,
      channel: options.channel ?? "library",
      trust,
      home: options.home === undefined ? SHARED : (parseScope(options.home) as Scope),
      newId: this.#engine.newId,
      random: this.#engine.random,
    });
    this.#engine.addSession(sessionId, session);
    return session;
  }

  /** Re-hashes everything and checks every invariant, reading past all caches. */
  verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    this.#engine.assertOpen();
    return verifyStore(this.#engine.storage, options);
  }

  /** Resolves when writes under way and the upkeep they caused have ended. */
  settle(): Promise<void> {
    return this.#engine.settle();
  }

  /** Waits for writes that were accepted, then lets go of the store. */
  close(): Promise<void> {
    return this.#engine.close();
  }
}
