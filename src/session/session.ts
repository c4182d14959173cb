import { type JsonObject, PalimpsestError, type Timestamp, timestamp } from "../base/index.js";
import { cleanJson, cleanText, type MemoryChange, type MemoryInput, type Verdict } from "../gate/index.js";
import type { Tip } from "../ledger/index.js";
import type { Proof } from "../merkle/index.js";
import type { Judged } from "./admit.js";
import { tipAt } from "./as-of.js";
import { type BulkOptions, bulk } from "./bulk.js";
import type { Context } from "./context.js";
import type { CommitInfo, Draft } from "./draft.js";
import type { Engine } from "./engine.js";
import { isEnded, type Memory } from "./memory.js";
import { runTransaction, type Transaction, type TransactionResult } from "./transaction.js";
import { type ForgetOptions, forget } from "./verbs/forget.js";
import { get } from "./verbs/get.js";
import { type HistoryItem, history } from "./verbs/history.js";
import { type ListFilter, list } from "./verbs/list.js";
import { type LogItem, type LogOptions, log } from "./verbs/log.js";
import { observe } from "./verbs/observe.js";
import { type OperationItem, ops } from "./verbs/ops.js";
import { prove } from "./verbs/prove.js";
import { remember } from "./verbs/remember.js";
import { type Stats, stats } from "./verbs/stats.js";
import { type UndoResult, undo } from "./verbs/undo.js";
import { type UpdateOptions, update } from "./verbs/update.js";
import { withCommit } from "./writer.js";

/** What goes into the commit of a write beside its events. */
export interface WriteOptions {
  readonly message?: string | undefined;
  readonly meta?: JsonObject | undefined;
  /** Judge only: the verdict is real, nothing is written. */
  readonly dryRun?: boolean | undefined;
}

export interface ReadOptions {
  readonly scope?: string;
  /** A commit (hash or prefix) or a time: the answer as it was then. */
  readonly at?: string;
}

/** So many of a list are remembered as shown; nobody puts more into a prompt. */
const SHOWN = 1_000;

/**
 * One agent's or person's way into a store. What it sees and how far it is trusted is fixed when it is opened.
 * Every write answers with a verdict; every read sees the commits of all processes that were durable before it.
 */
export class Session {
  readonly #engine: Engine;
  readonly #context: Context;
  /** Answers of `get` by bare id, exact for one head. */
  readonly #hot = new Map<string, Memory>();
  #hotHead: Tip | undefined;

  /** Sessions are made by `store.session()`. */
  constructor(engine: Engine, context: Context) {
    this.#engine = engine;
    this.#context = context;
  }

  get agent(): string {
    return this.#context.agent;
  }
  get branch(): string {
    return this.#context.branch;
  }

  /** Adds one memory through the gate, or renews the one with the same id or topic. */
  remember(memory: string | MemoryInput, input: MemoryInput & WriteOptions = {}): Promise<Verdict> {
    const { message, meta, dryRun, ...rest } =
      typeof memory === "string" ? { ...input, text: memory } : { ...input, ...memory };
    return this.#write("remember", { message, meta, dryRun }, (draft) =>
      remember(this.#context, draft, rest),
    );
  }

  /** Many at once: one verdict each in the order given; one bad item never stops the rest. One commit per 1,000. */
  rememberMany(
    items: readonly (string | MemoryInput)[],
    options: WriteOptions & BulkOptions = {},
  ): Promise<Verdict[]> {
    return bulk(items, options, (part) =>
      this.#submit("remember", options, async (draft) => {
        const judged: Judged[] = [];
        for (const item of part)
          judged.push(
            await this.#guarded(draft, () =>
              remember(this.#context, draft, typeof item === "string" ? { text: item } : item),
            ),
          );
        return judged;
      }),
    );
  }

  update(
    id: string,
    change: string | MemoryChange,
    options: UpdateOptions & WriteOptions = {},
  ): Promise<Verdict> {
    const fields = typeof change === "string" ? { text: change } : change;
    return this.#write("update", options, (draft) => update(this.#context, draft, id, fields, options));
  }

  forget(id: string, options: ForgetOptions & WriteOptions = {}): Promise<Verdict> {
    return this.#write("forget", options, (draft) => forget(this.#context, draft, id, options));
  }

  /** Adds evidence to a memory by id, or notes a text as an uncertain observation. */
  observe(target: string, input: Omit<MemoryInput, "text" | "id"> & WriteOptions = {}): Promise<Verdict> {
    const { message, meta, dryRun, ...rest } = input;
    return this.#write("observe", { message, meta, dryRun }, (draft) =>
      observe(this.#context, draft, target, rest),
    );
  }

  /** Inverts this agent's last operation on the branch, or any by its id, as a new operation. */
  undo(op?: string, options: Omit<WriteOptions, "dryRun"> = {}): Promise<UndoResult> {
    return this.#open(async () => {
      const job = {
        branch: this.#context.branch,
        info: this.#info("undo", options),
        run: (draft: Draft) => undo(this.#context, draft, op),
      };
      const { value, tip } = await this.#engine.writer.submit(job);
      return { ...value, ...(tip && { commit: tip.hash }) };
    });
  }

  /** The operation log: what moved which branch, newest first. */
  ops(options: { readonly limit?: number } = {}): Promise<OperationItem[]> {
    return this.#open(() => ops(this.#context, this.#engine.reader, options.limit));
  }

  /**
   * Several writes as one commit. `fn` runs once and sees its own writes; if it throws, nothing is written.
   * What it wrote is judged again on the head it is committed on, and those are the verdicts returned.
   */
  transaction<T>(
    fn: (tx: Transaction) => Promise<T> | T,
    options: Omit<WriteOptions, "dryRun"> = {},
  ): Promise<TransactionResult<T>> {
    const { writer } = this.#engine;
    const branch = this.#context.branch;
    const info = this.#info("transaction", options);
    return runTransaction(this.#context, fn, {
      rehearse: (run) => this.#open(() => writer.rehearse({ branch, info, run })),
      submit: (run, rehearsed) =>
        this.#open(() => writer.submit({ branch, info, run, ...(rehearsed && { rehearsed }) })),
    });
  }

  /** One memory by its id, or by 6 or more of its first or last characters; undefined if the session sees none. */
  async get(id: string, options?: ReadOptions): Promise<Memory | undefined> {
    if (
      options === undefined &&
      this.#engine.isFresh &&
      this.#hotHead === this.#engine.knownHead(this.#context.branch)
    ) {
      const known = this.#hot.get(id);
      if (known !== undefined) return isEnded(known, this.#engine.clock) ? undefined : known;
    }
    return this.#read(options?.at, async (tip, now) => {
      const memory = await get(this.#context, this.#engine.reader, tip, now, id, options?.scope);
      if (memory && memory.id === id && options === undefined) this.#keep(tip, memory);
      return memory;
    });
  }

  list(filter: ListFilter & { readonly at?: string } = {}): Promise<Memory[]> {
    return this.#read(filter.at, async (tip, now) => {
      const found = await list(this.#context, this.#engine.reader, tip, now, filter);
      this.#context.served.note(found.slice(0, SHOWN));
      return found;
    });
  }

  history(id: string, options: ReadOptions = {}): Promise<HistoryItem[]> {
    return this.#read(options.at, (tip) =>
      history(this.#context, this.#engine.reader, tip, id, options.scope),
    );
  }

  log(options: Omit<LogOptions, "upTo"> & { readonly at?: string } = {}): Promise<LogItem[]> {
    return this.#read(options.at, (tip) =>
      log(this.#context, this.#engine.reader, { ...options, upTo: tip.commit.generation }),
    );
  }

  /** Proof that a memory is, or is not, in the state; check it with `verifyProof` of `palimpsest/proof`. */
  prove(id: string, options: ReadOptions = {}): Promise<Proof> {
    return this.#read(options.at, (tip) => prove(this.#context, this.#engine.reader, tip, id, options.scope));
  }

  stats(options: { readonly at?: string } = {}): Promise<Stats> {
    return this.#read(options.at, (tip, now) => stats(this.#context, this.#engine.reader, tip, now));
  }

  /** Ends the session. When it is the last with its id in this process, what lived only for it is forgotten. */
  async close(): Promise<void> {
    const ends = this.#engine.endSession(this.#context.sessionId, this);
    if (!ends) return;
    const mine = (await this.list()).filter(
      ({ lifetime, session }) => lifetime === "session" && session === this.#context.sessionId,
    );
    if (mine.length > 0)
      await this.transaction(async (tx) => {
        for (const { id, scope } of mine) await tx.forget(id, { scope, reason: "The session ended." });
      });
  }

  /** Reads at the freshest head, or at an older commit whose time is then "now". */
  async #read<T>(at: string | undefined, run: (tip: Tip, now: Timestamp) => Promise<T>): Promise<T> {
    return this.#open(async () => {
      if (at === undefined)
        return run(await this.#engine.head(this.#context.branch), timestamp(this.#engine.clock()));
      const tip = await tipAt(this.#context, this.#engine.reader, at);
      return run(tip, tip.commit.time);
    });
  }

  async #write(
    verb: string,
    options: WriteOptions,
    run: (draft: Draft) => Promise<Judged>,
  ): Promise<Verdict> {
    return (await this.#submit(verb, options, async (draft) => [await run(draft)]))[0] as Verdict;
  }

  async #submit(
    verb: string,
    options: WriteOptions,
    run: (draft: Draft) => Promise<Judged[]>,
  ): Promise<Verdict[]> {
    return this.#open(async () => {
      const job = { branch: this.#context.branch, info: this.#info(verb, options), run };
      if (options.dryRun) return (await this.#engine.writer.rehearse(job)).value;
      const { value, tip } = await this.#engine.writer.submit(job);
      return value.map((judged) => withCommit(judged, tip));
    });
  }

  /** One item of many: an error of its own becomes its verdict. Failures of the store still stop everything. */
  async #guarded(draft: Draft, run: () => Promise<Judged>): Promise<Judged> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof PalimpsestError) || !isInputError(error)) throw error;
      const { code, message: reason, hint } = error;
      return { verdict: "rejected", code, check: "shape", reason, hint, branch: draft.branch };
    }
  }

  #info(verb: string, options: WriteOptions): CommitInfo {
    const { author, sessionId, rules } = this.#context;
    const { message, meta } = options;
    const modes = rules.modes.message;
    return {
      verb,
      author,
      session: sessionId,
      message: message === undefined ? undefined : cleanText(message, modes),
      meta: meta === undefined ? undefined : cleanJson(meta, modes),
    };
  }

  async #open<T>(run: () => Promise<T>): Promise<T> {
    this.#engine.assertOpen();
    return run();
  }

  #keep(tip: Tip, memory: Memory): void {
    if (this.#hotHead !== tip || this.#hot.size > 10_000) this.#hot.clear();
    this.#hotHead = tip;
    this.#hot.set(memory.id, memory);
  }
}

const isInputError = ({ code }: PalimpsestError): boolean =>
  code.startsWith("INVALID_") || code === "SESSION_REQUIRED";
