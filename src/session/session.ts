import { careVerbs } from "../care/index.js";
import type { BranchName, Hash } from "../core/base/index.js";
import { documentVerbs } from "../documents/index.js";
import { historyVerbs } from "../history/index.js";
import { type Memory, memoryVerbs } from "../memories/index.js";
import { mindVerbs } from "../mind/index.js";
import { palaceVerbs } from "../palace/index.js";
import { recallVerbs } from "../recall/index.js";
import { Access, type At, action, type Bound, checkGiven, type Made, writing } from "../repo/index.js";
import { reviewVerbs } from "../review/index.js";
import { searchVerbs } from "../search/index.js";

/** Every verb of a session, by room. Of two with one name the later knows more: it serves what the earlier does not. */
export const VERBS = {
  ...memoryVerbs,
  ...historyVerbs,
  ...searchVerbs,
  ...reviewVerbs,
  ...palaceVerbs,
  ...documentVerbs,
  ...recallVerbs,
  ...mindVerbs,
  ...careVerbs,
};

/**
 * One agent's or person's way into a store. What it sees and how far it is trusted is fixed when it is opened.
 * Every write answers with a verdict; every read sees the commits of all processes that were durable before it.
 */
export interface Session extends SessionBase, Bound<typeof VERBS> {}

/** A session on its access: the table of verbs, bound. */
export function sessionOn(access: Access): Session {
  const verbs = Object.entries(VERBS).map(([name, verb]) => [name, verb.bind(access, name)]);
  return Object.assign(new SessionBase(access), Object.fromEntries(verbs)) as Session;
}

/** What a session is beside its verbs. */
export class SessionBase {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  get agent(): string {
    return this.#access.context.agent;
  }
  /** The branch it works on; that of the agent's last checkout is known after the first call. */
  get branch(): string {
    return this.#access.context.branch;
  }

  /**
   * Tells of what happened, a line each: a snapshot created, rolled back, not found, saved, loaded, load failed. Returns
   * the way to stop listening.
   */
  onLog(listener: (line: string) => void): () => void {
    const { engine } = this.#access.context;
    engine.assertOpen();
    return engine.onLog(listener);
  }

  /**
   * Runs `fn` with a session of its own; if it throws, what that session committed is taken back, and nothing else.
   */
  async guarded<T>(fn: (session: Session) => Promise<T>): Promise<T> {
    checkGiven("guarded", { function: fn }, { function: action });
    return this.#access.open(async (outer) => {
      const all: Made[] = [];
      const made = (one: Made) => {
        all.push(one);
        outer.made?.(one);
      };
      try {
        return await fn(sessionOn(new Access({ ...outer, made })));
      } catch (error) {
        // What it did not wait for is on its way to the writer, and noted a moment after it is durable.
        await writing.load();
        await new Promise((resume) => setImmediate(resume));
        await outer.engine.writer.idle();
        await new Promise((resume) => setImmediate(resume));
        for (const branch of new Set(all.map((one) => one.branch)))
          await this.#takeBack(
            branch,
            all.filter((one) => one.branch === branch),
          );
        outer.engine.log(`rolled back ${all.length} commits after an error`);
        throw error;
      }
    });
  }

  async #takeBack(branch: BranchName, made: readonly Made[]): Promise<void> {
    const { replay } = await import("../history/replay.js");
    await this.#access.commit({
      ...{ verb: "rollback", branch, beside: true },
      async run(job) {
        for (const { before, after } of made.toReversed()) await replay(job, after, before);
      },
    });
  }

  /**
   * Ends the session. When it is the last of its agent with its id in this process, what this agent had live only for it is
   * forgotten; another agent may go by the same id.
   */
  async close(): Promise<void> {
    const { context } = this.#access;
    const { engine, sessionId } = context;
    if (!engine.endSession(context, this.#access) || sessionId === undefined) return;
    const { list } = await import("../memories/verbs/list.js");
    const mine = await this.#access.look(undefined, async (at) =>
      madeFor(at, await list(at, { session: sessionId })),
    );
    if (mine.length === 0) return;
    await memoryVerbs.transaction.bind(
      this.#access,
      "transaction",
    )(async (tx) => {
      for (const { id, scope } of mine) await tx.forget(id, { scope, reason: "The session ended." });
    });
  }
}

/**
 * Those of some memories that this agent had live for its session. Agents may go by one session id: who gave a memory the
 * end it has now, with the first of the versions since then, is whose session it is.
 */
async function madeFor(at: At, memories: readonly Memory[]): Promise<Memory[]> {
  const { context, reader } = at;
  const { history } = await import("../history/verbs/history.js");
  const isMine = async (
    versions: readonly { readonly hash?: Hash; readonly author: { readonly id: string } }[],
  ) => {
    let agent: string | undefined;
    for (const { hash, author } of versions) {
      const record = hash === undefined ? undefined : await reader.record(hash);
      if (record?.session !== context.sessionId || record?.lifetime !== "session") break;
      agent = author.id;
    }
    return agent === context.agent;
  };
  const mine: Memory[] = [];
  for (const memory of memories)
    if (await isMine((await history(at, memory.id, memory.scope)).toReversed())) mine.push(memory);
  return mine;
}
