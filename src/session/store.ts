import {
  BACKUP,
  type Backup,
  type BackupOptions,
  COMPACT,
  type CompactOptions,
  type CompactReport,
  GC,
  type GcOptions,
  type GcReport,
  HEALTH,
  type HealthOptions,
  type HealthReport,
  LOAD,
  type LoadOptions,
  REBUILD,
  RESTORE,
  type RebuildOptions,
  type RebuildReport,
  type RestoreOptions,
  type RestoreReport,
  type StoreUsage,
  USAGE,
  type UsageOptions,
  VERIFY,
  type VerifyOptions,
  type VerifyReport,
} from "../care/index.js";
import { type Hash, MAIN, parseBranch, parseName, parseScope, SHARED } from "../core/base/index.js";
import type { Author, Trust } from "../core/ledger/index.js";
import type { ImageReport, SaveOptions } from "../documents/index.js";
import { type GateConfig, rulesOf } from "../gate/index.js";
import { lastCheckout } from "../history/index.js";
import type { Change, Context, Engine } from "../repo/index.js";
import {
  Access,
  action,
  checkGiven,
  checkOptions,
  type Given,
  makeSight,
  object,
  optional,
  path,
  Recent,
  Served,
  sensitivity,
  text,
  texts,
  trust,
  typed,
} from "../repo/index.js";
import type { EmbeddingControl } from "../search/index.js";
import { Vectors } from "../search/index.js";
import { type Session, sessionOn } from "./session.js";

const SESSION = {
  agent: text.as("who this is; its own scope is agent/<name>", "name"),
  scopes: texts.as("what it sees: exact scopes or patterns; shared, its own and its project's unless given"),
  project: text.as("the project it works for", "name"),
  home: text.as("where new memories go when no scope is named; shared unless given", "scope"),
  clearance: sensitivity.as("the most secret that it sees; private unless given", "level"),
  branch: text.as("$PAL_BRANCH, else where the agent was last, else main, unless given", "name"),
  sessionId: text.as("the name of this conversation", "name"),
  channel: text.as("the door it came through; library unless given", "name"),
  /** Only the host program can say more than `agent`. */
  trust: trust.as("how far what it writes can be trusted, at most; agent unless given", "level"),
  gate: typed<GateConfig>(object).as("how its writes are judged, over what the store was opened with"),
};
export type SessionOptions = Given<typeof SESSION>;

/** What the verbs of a store take, by name. */
export const STORE_OPTIONS = {
  ...{ backup: BACKUP, restore: RESTORE, load: LOAD, health: HEALTH, usage: USAGE },
  ...{ gc: GC, compact: COMPACT, rebuild: REBUILD, verify: VERIFY },
};

const AUTHOR: Readonly<Record<Trust, Author["kind"]>> = {
  external: "agent",
  agent: "agent",
  user: "user",
  operator: "operator",
};

/** An open store. Everything that reads or writes memories goes through a session of it. */
export class Store {
  readonly #engine: Engine;
  readonly #gate: GateConfig | undefined;

  /** Stores are made by `openStore()`. */
  constructor(engine: Engine, gate?: GateConfig) {
    this.#engine = engine;
    this.#gate = gate;
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
    checkOptions("session", options, SESSION);
    const agent = parseName(options.agent ?? "default");
    const level = options.trust ?? "agent";
    const own = [
      SHARED,
      `agent/${agent}`,
      ...(options.project === undefined ? [] : [`project/${options.project}`]),
    ];
    const sessionId = options.sessionId === undefined ? undefined : parseName(options.sessionId);
    const branch = options.branch ?? process.env.PAL_BRANCH;
    const context: Context = {
      engine: this.#engine,
      agent,
      author: Object.freeze({ id: agent, kind: AUTHOR[level] }),
      sight: makeSight(options.scopes ?? own, options.clearance ?? "private"),
      branch: MAIN,
      sessionId,
      channel: options.channel ?? "library",
      trust: level,
      home: options.home === undefined ? SHARED : parseScope(options.home),
      rules: rulesOf(this.#gate, options.gate),
      served: new Served(() => this.#engine.reader.epoch),
      recent: new Recent(this.#engine.clock),
      newId: this.#engine.newId,
      random: this.#engine.random,
      views: this.#engine.views,
    };
    const access = branch
      ? new Access({ ...context, branch: parseBranch(branch) })
      : new Access(context, () => lastCheckout(this.#engine, agent));
    this.#engine.addSession(context, access);
    return sessionOn(access);
  }

  /** Tells of every ref that moves from now on, by whichever process. Returns the way to end it. */
  on(_event: "change", listener: (change: Change) => void): () => void {
    this.#engine.assertOpen();
    return this.#engine.watch.on(listener);
  }

  /** Can it be read and written, and what stands in the way? Tries it; never throws, unless the store was closed. */
  async health(options: HealthOptions = {}): Promise<HealthReport> {
    checkOptions("health", options, HEALTH);
    this.#engine.assertOpen();
    const { checkHealth } = await import("../care/health.js");
    return checkHealth(this.#engine.storage, this.#engine, options);
  }

  /** Writes all objects and refs to one portable file, by default `$MEMORY_SNAPSHOT_PATH`, else `~/memory.snap`. */
  async save(file?: string, options: SaveOptions = {}): Promise<ImageReport> {
    this.#engine.assertOpen();
    checkGiven("save", { file }, { file: optional(path) });
    checkOptions("save", options, { onProgress: action });
    const { imagePath, saveImage } = await import("../documents/verbs/image.js");
    const saved = await saveImage(this.#engine, file ?? imagePath(), options);
    this.#engine.log(
      `saved ${saved.memories} versions of memories (${saved.objects} objects) to ${saved.file}`,
    );
    return saved;
  }

  /**
   * Fills an empty store from such a file, checking every hash first. Undefined if the file is not there; a damaged or
   * foreign one is an error, and a store that has memories of its own is never touched.
   */
  async load(file?: string, options: LoadOptions = {}): Promise<ImageReport | undefined> {
    this.#engine.assertOpen();
    checkGiven("load", { file }, { file: optional(path) });
    checkOptions("load", options, LOAD);
    const { imagePath } = await import("../documents/verbs/image.js");
    const { loadImage } = await import("../care/verbs/fill-store.js");
    try {
      const loaded = await loadImage(this.#engine, file ?? imagePath(), options);
      if (loaded)
        this.#engine.log(
          `loaded ${loaded.memories} versions of memories (${loaded.objects} objects) from ${loaded.file}`,
        );
      return loaded;
    } catch (error) {
      this.#engine.log(`load failed: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  }

  /** Writes everything that was ever believed to one file, even while others write. */
  async backup(file: string, options: BackupOptions = {}): Promise<Backup> {
    this.#engine.assertOpen();
    checkGiven("backup", { file }, { file: path });
    checkOptions("backup", options, BACKUP);
    const { backup } = await import("../care/verbs/backup.js");
    return backup(this.#engine, file, options);
  }

  /** Fills an empty store from such a file, or from an image; everything is verified before anything is written. */
  async restore(file: string, options: RestoreOptions = {}): Promise<RestoreReport> {
    this.#engine.assertOpen();
    checkGiven("restore", { file }, { file: path });
    checkOptions("restore", options, RESTORE);
    const { restore } = await import("../care/verbs/backup.js");
    return restore(this.#engine, file, options);
  }

  /** Drops what nothing leads to any more, and what waited for a person for too long. */
  async gc(options: GcOptions = {}): Promise<GcReport> {
    this.#engine.assertOpen();
    checkOptions("gc", options, GC);
    await this.#engine.settle();
    const { collectGarbage } = await import("../care/gc.js");
    return collectGarbage(this.#engine.storage, this.#engine.clock(), options);
  }

  /** Gives back the room of derived nodes, removed bytes and the log. History stays whole. */
  async compact(options: CompactOptions = {}): Promise<CompactReport> {
    this.#engine.assertOpen();
    checkOptions("compact", options, COMPACT);
    await this.#engine.settle();
    const { compactStore } = await import("../care/compact.js");
    return compactStore(this.#engine.storage, options);
  }

  /** Makes indexes, touch rows, nodes and images again from objects and refs. */
  async rebuild(options: RebuildOptions = {}): Promise<RebuildReport> {
    this.#engine.assertOpen();
    checkOptions("rebuild", options, REBUILD);
    const { rebuild } = await import("../care/verbs/rebuild.js");
    return rebuild(this.#engine, options);
  }

  /** Re-hashes everything and checks every invariant, reading past all caches. */
  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    this.#engine.assertOpen();
    checkOptions("verify", options, VERIFY);
    const { verifyStore } = await import("../care/verify.js");
    return verifyStore(this.#engine.storage, options);
  }

  /** What it takes on the disk, and how far its index and its vectors have come. */
  async usage(options: UsageOptions = {}): Promise<StoreUsage> {
    this.#engine.assertOpen();
    checkOptions("usage", options, USAGE);
    const { usageOf } = await import("../care/usage.js");
    return usageOf(this.#engine, options);
  }

  /** The vectors of the store and the work on them in the background. */
  embedding(): Promise<EmbeddingControl> {
    return this.#engine.companion(Vectors).embedding();
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
