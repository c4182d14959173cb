import { type BranchName, timestamp } from "../core/base/index.js";
import type { At, Context } from "./context.js";
import { type Late, writing } from "./late.js";
import { nowAt, tipAt } from "./time/as-of.js";
import { commit, type NewCommit } from "./write/commit.js";
import type { Done } from "./write/writer.js";

/** One session's access to its store: on which branch it works, and whose turn it is. Verbs are bound to it. */
export class Access {
  #context: Context;
  /** The session's own access, of one that serves a single call. */
  readonly #of: Access | undefined;
  /** Settles once it is known on which branch the agent works; undefined after that. */
  #located: Promise<void> | undefined;
  /** Writes that were asked for and are not in the queue yet: those after them wait their turn. */
  #onTheWay = 0;

  /** Without a branch the agent goes on where it was last, whatever others check out meanwhile. */
  constructor(context: Context, lastBranch?: () => Promise<BranchName | undefined>, of?: Access) {
    this.#context = context;
    this.#of = of;
    this.#located = lastBranch && this.#locate(lastBranch);
    this.#located?.catch(() => undefined);
  }

  async #locate(lastBranch: () => Promise<BranchName | undefined>): Promise<void> {
    const branch = await lastBranch();
    if (branch !== undefined) this.moveTo(branch);
    this.#located = undefined;
  }

  /** Who calls, on the branch as far as it is known. */
  get context(): Context {
    return this.#context;
  }

  /** Works on another branch from now on. */
  moveTo(branch: BranchName): void {
    this.#context = { ...this.#context, branch };
    this.#of?.moveTo(branch);
  }

  /** The access for one call: it stays on the branch of the call, wherever the session goes meanwhile. */
  forCall(context: Context): Access {
    return new Access(context, undefined, this);
  }

  /** Runs once it is known on which branch the session works. */
  async open<T>(run: (context: Context) => Promise<T> | T): Promise<T> {
    this.#context.engine.assertOpen();
    if (this.#located) await this.#located;
    return run(this.#context);
  }

  /** Looks at the freshest head, or at an older commit whose time is then "now". */
  look<T>(when: string | undefined, run: (at: At) => Promise<T>): Promise<T> {
    return this.open(async (context) => {
      const { reader } = context.engine;
      if (when === undefined) {
        const tip = await context.engine.head(context.branch);
        return run({ context, reader, tip, now: timestamp(context.engine.clock()) });
      }
      const tip = await tipAt(context, when);
      return run({ context, reader, tip, now: await nowAt({ context, reader, tip }) });
    });
  }

  /** The same, for an answer that leaves the session: it cannot be changed. */
  async read<T>(when: string | undefined, run: (at: At) => Promise<T>): Promise<T> {
    return answer(await this.look(when, run));
  }

  /** Makes a change durable as one commit, once it is known on which branch the session works. */
  commit<T>(change: NewCommit<T>): Promise<Done<T>> {
    return this.open((context) => commit(context, change));
  }

  /**
   * Runs a write with the code that it needs: at once where that is loaded and nothing waits, else in the order in which
   * writes were asked for.
   */
  async write<M, T>(code: Late<M>, run: (code: M, context: Context) => Promise<T>): Promise<T> {
    const { loaded } = code;
    this.#context.engine.assertOpen();
    const isReady = this.#onTheWay === 0 && !this.#located && writing.loaded !== undefined;
    return isReady && loaded !== undefined ? run(loaded, this.#context) : this.#inTurn(code, run);
  }

  async #inTurn<M, T>(code: Late<M>, run: (code: M, context: Context) => Promise<T>): Promise<T> {
    this.#onTheWay++;
    let loaded: M;
    try {
      await this.#located;
      [loaded] = await Promise.all([code.load(), writing.load()]);
    } finally {
      this.#onTheWay--;
    }
    return run(loaded, this.#context);
  }
}

/**
 * Freezes what a session answers with, all the way down: a value may be kept and answered again. What is frozen already
 * is whole, because callers here build from frozen parts, so a long list of memories costs a look at each.
 * Vectors, maps and the objects of classes are left as they are.
 */
export function answer<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) answer(value[at]);
  else {
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    for (const key in value) answer(value[key]);
  }
  return Object.freeze(value);
}
