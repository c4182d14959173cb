import { type Hash, MAIN, parseBranch, parseName, parseScope, SHARED } from "../base/index.js";
import type { VerifyOptions, VerifyReport } from "../care/index.js";
import { type GateConfig, rulesOf } from "../gate/index.js";
import type { Author, Sensitivity, Trust } from "../ledger/index.js";
import type { Engine } from "./engine.js";
import { Recent } from "./recent.js";
import { Served } from "./served.js";
import { Session } from "./session.js";
import { makeSight } from "./sight.js";

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
  /** How its writes are judged, over what the store was opened with. */
  readonly gate?: GateConfig;
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
      author: { id: agent, kind: AUTHOR[trust] },
      sight: makeSight(options.scopes ?? own, options.clearance ?? "private"),
      branch: options.branch === undefined ? MAIN : parseBranch(options.branch),
      sessionId,
      channel: options.channel ?? "library",
      trust,
      home: options.home === undefined ? SHARED : parseScope(options.home),
      rules: rulesOf(this.#gate, options.gate),
      served: new Served(),
      recent: new Recent(this.#engine.clock),
      newId: this.#engine.newId,
      random: this.#engine.random,
    });
    this.#engine.addSession(sessionId, session);
    return session;
  }

  /** Re-hashes everything and checks every invariant, reading past all caches. */
  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    this.#engine.assertOpen();
    const { verifyStore } = await import("../care/index.js");
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
