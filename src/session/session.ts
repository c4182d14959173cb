import type { HealthOptions, HealthReport } from "../care/index.js";
import { unreadable } from "../core/base/index.js";
import type { Tip } from "../core/ledger/index.js";
import type { Proof } from "../core/merkle/index.js";
import type { MemoryChange, MemoryInput, Verdict } from "../gate/index.js";
import type { HistoryItem, LogItem, LogOptions, Stats } from "../history/index.js";
import type {
  ForgetOptions,
  ListFilter,
  MemoryView,
  MoveOptions,
  Transaction,
  TransactionResult,
  UpdateOptions,
} from "../memories/index.js";
import { get, isEnded, type Memory } from "../memories/index.js";
import type { WriteOptions } from "../repo/index.js";
import {
  action,
  checkGiven,
  checkOptions,
  findKey,
  findWhole,
  list,
  number,
  PLACED,
  readOnce,
  THEN,
  TOLD,
  text,
  withOptions,
} from "../repo/index.js";
import type { SearchOptions, SearchResult, SemanticAnswer, SemanticSearchOptions } from "../search/index.js";
import { embedMarked, isMarked, Vectors } from "../search/index.js";
import { FORGET, GET, LIST, LOG, MANY, MOVE, SEARCH, SEMANTIC, UPDATE, VIEW } from "./allowed.js";
import { type BulkOptions, bulk } from "./bulk.js";
import { CareVerbs } from "./care-verbs.js";
import { loadedVerbs } from "./late-verbs.js";

export interface ReadOptions {
  readonly scope?: string;
  /** A commit (hash or prefix) or a time: the answer as it was then. */
  readonly at?: string;
}

/** The verbs that write, where there is a draft: they were loaded before it was made. */
const inDraft = () => loadedVerbs()!;

const NOTHING = {};

/** So many of a list are remembered as shown; nobody puts more into a prompt. */
const SHOWN = 1_000;

/**
 * One agent's or person's way into a store. What it sees and how far it is trusted is fixed when it is opened.
 * Every write answers with a verdict; every read sees the commits of all processes that were durable before it.
 */
export class Session extends CareVerbs {
  /** Answers of `get` by bare id, exact for one head. */
  readonly #hot = new Map<string, Memory>();
  #hotHead: Tip | undefined;

  /** Adds one memory through the gate, or renews the one with the same id or topic. */
  remember(memory: string | MemoryInput, input: MemoryInput & WriteOptions = NOTHING): Promise<Verdict> {
    let given: ReturnType<typeof withOptions>;
    try {
      const told = typeof memory === "string" ? { text: memory } : memory;
      given = withOptions("remember", input === NOTHING ? { ...told } : { ...input, ...told });
    } catch (error) {
      return Promise.reject(unreadable(error));
    }
    const { options, rest } = given;
    const verdict = this.write("remember", options, (draft) => inDraft().remember(this.context, draft, rest));
    return isMarked(rest)
      ? embedMarked(
          this.engine,
          verdict.then((one) => [one]),
          [rest],
        ).then(([one]) => one!)
      : verdict;
  }

  /** Many at once: one verdict each in the order given; one bad item never stops the rest. One commit per 1,000. */
  async rememberMany(
    items: readonly (string | MemoryInput)[],
    options: WriteOptions & BulkOptions = {},
  ): Promise<Verdict[]> {
    checkOptions("rememberMany", options, MANY);
    const all = readOnce(items);
    checkGiven("rememberMany", { items: all }, { items: list });
    return bulk(all, options, (part, at) => {
      const verdicts = this.part("remember", part, at, all.length, options, (draft, item) =>
        inDraft().remember(this.context, draft, typeof item === "string" ? { text: item } : readOnce(item)),
      );
      return embedMarked(this.engine, verdicts, part);
    });
  }

  async update(
    id: string,
    change: string | MemoryChange,
    options: UpdateOptions & WriteOptions = {},
  ): Promise<Verdict> {
    checkOptions("update", options, UPDATE);
    const fields = typeof change === "string" ? { text: change } : readOnce(change);
    return this.write("update", options, (draft) =>
      inDraft().update(this.context, draft, id, fields, options),
    );
  }

  async forget(id: string, options: ForgetOptions & WriteOptions = {}): Promise<Verdict> {
    checkOptions("forget", options, FORGET);
    return this.write("forget", options, (draft) => inDraft().forget(this.context, draft, id, options));
  }

  /**
   * Several at once: one verdict each in the order given. What is not found is a verdict too and never stops the rest. One
   * commit per 1,000.
   */
  async forgetMany(
    ids: readonly string[],
    options: ForgetOptions & WriteOptions & BulkOptions = {},
  ): Promise<Verdict[]> {
    checkOptions("forgetMany", options, { ...MANY, ...FORGET });
    const all = readOnce(ids);
    checkGiven("forgetMany", { ids: all }, { ids: list });
    return bulk(all, options, (part, at) =>
      this.part("forget", part, at, all.length, options, (draft, id) =>
        inDraft().forget(this.context, draft, id, options),
      ),
    );
  }

  /** Takes a memory to another scope, under its id: forgotten there and added here in one commit, through the gate. */
  async move(id: string, scope: string, options: MoveOptions & WriteOptions = {}): Promise<Verdict> {
    checkOptions("move", options, MOVE);
    return this.write("move", options, (draft) => inDraft().move(this.context, draft, id, scope, options));
  }

  /** Adds evidence to a memory by id, or notes a text as an uncertain observation. */
  async observe(
    target: string,
    input: Omit<MemoryInput, "text" | "id"> & WriteOptions = {},
  ): Promise<Verdict> {
    const { options, rest } = withOptions("observe", readOnce(input));
    return this.write("observe", options, (draft) => inDraft().observe(this.context, draft, target, rest));
  }

  /**
   * Several writes as one commit. `fn` runs once and sees its own writes; if it throws, nothing is written.
   * What it wrote is judged again on the head it is committed on, and those are the verdicts returned.
   */
  async transaction<T>(
    fn: (tx: Transaction) => Promise<T> | T,
    options: Omit<WriteOptions, "dryRun"> = {},
  ): Promise<TransactionResult<T>> {
    checkGiven("transaction", { function: fn }, { function: action });
    checkOptions("transaction", options, TOLD);
    return this.open(async () => {
      const { context } = this;
      const { branch } = context;
      const { writer } = this.engine;
      const [{ runTransaction }, info] = await Promise.all([
        import("../memories/transaction.js"),
        this.info("transaction", options),
      ]);
      return runTransaction(context, fn, {
        rehearse: (run) => this.open(() => writer.rehearse({ branch, info, run })),
        submit: (run, rehearsed) =>
          this.open(async () => {
            const done = await writer.submit({ branch, info, run, ...(rehearsed && { rehearsed }) });
            this.note(branch, done);
            return done;
          }),
      });
    });
  }

  /** One memory that is seen, by its id or, unless `exact`, its topic or 6 or more of the id's first or last characters. */
  async get(id: string, options?: ReadOptions & { readonly exact?: boolean }): Promise<Memory | undefined> {
    if (
      options === undefined &&
      this.engine.isFresh &&
      this.#hotHead === this.engine.knownHead(this.context.branch)
    ) {
      const known = this.#hot.get(id);
      if (known !== undefined) return isEnded(known, this.engine.clock) ? undefined : known;
    }
    if (options !== undefined) checkOptions("get", options, GET);
    return this.read(options?.at, async (tip, now) => {
      const find = options?.exact ? findWhole : findKey;
      const memory = await get(this.context, this.engine.reader, tip, now, id, options?.scope, find);
      // One with children is not kept: they may end at a time of their own.
      const isLeaf = memory?.id === id && memory.children.length === 0;
      if (isLeaf && options === undefined) this.#keep(tip, memory);
      return memory;
    });
  }

  async list(filter: ListFilter & { readonly at?: string } = {}): Promise<readonly Memory[]> {
    checkOptions("list", filter, LIST);
    return this.read(filter.at, async (tip, now) => {
      const { list } = await import("../memories/verbs/list.js");
      const found = await list(this.context, this.engine.reader, tip, now, filter);
      this.context.served.note(found.slice(0, SHOWN));
      return found;
    });
  }

  /** What is believed: canon, then what holds a topic, then the newest, at most `max` (50). */
  async view(options: { readonly max?: number; readonly at?: string } = {}): Promise<MemoryView> {
    checkOptions("view", options, VIEW);
    return this.read(options.at, async (tip, now) => {
      const { view } = await import("../memories/verbs/view.js");
      const found = await view(this.context, this.engine.reader, tip, now, options);
      this.context.served.note(found.items);
      return found;
    });
  }

  /**
   * The memories that answer a question best, best first. Words, `"quoted phrases"`, and the filters subject:, type:, tag:,
   * before: and after:; no question is wrong.
   */
  async search(
    question: string,
    options: SearchOptions & { readonly at?: string } = {},
  ): Promise<SearchResult> {
    checkOptions("search", options, SEARCH);
    return this.read(options.at, async (tip, now) => {
      const { search } = await import("../search/verbs/search.js");
      const found = await search(this.context, this.engine, tip, now, question, options);
      this.context.served.note(found.hits.slice(0, SHOWN));
      return found;
    });
  }

  /** The memories nearest in meaning to a question. What could not be compared is said, never passed over. */
  async semanticSearch(query: string, options: SemanticSearchOptions = {}): Promise<SemanticAnswer> {
    checkOptions("semanticSearch", options, SEMANTIC);
    return this.read(undefined, async (tip, now) => {
      const { semanticSearch } = await import("../search/verbs/semantic-search.js");
      const asked = { context: this.context, reader: this.engine.reader, tip, now };
      return semanticSearch(asked, await this.engine.companion(Vectors).embedding(), query, options);
    });
  }

  /** The unit vectors of a memory, one for each of its parts; empty while it has none. */
  async vectors(id: string, options: { readonly scope?: string } = {}): Promise<Float32Array[]> {
    checkOptions("vectors", options, { scope: text });
    const memory = await this.get(id, options);
    if (!memory) return [];
    const embedding = await this.engine.companion(Vectors).embedding();
    return embedding.unitVectors(this.context.branch, memory.hash);
  }

  async history(
    id: string,
    options: ReadOptions & { readonly exact?: boolean } = {},
  ): Promise<readonly HistoryItem[]> {
    checkOptions("history", options, GET);
    return this.read(options.at, async (tip) => {
      const { history } = await import("../history/verbs/history.js");
      return history(this.context, this.engine.reader, tip, id, options.scope, options.exact);
    });
  }

  async log(options: LogOptions & { readonly at?: string } = {}): Promise<readonly LogItem[]> {
    checkOptions("log", options, LOG);
    return this.read(options.at, async (tip) => {
      const { log } = await import("../history/verbs/log.js");
      return log(this.context, this.engine.reader, [tip], options);
    });
  }

  /** Proof that a memory is, or is not, in the state; check it with `verifyProof` of `palimpsest/proof`. */
  async prove(id: string, options: ReadOptions = {}): Promise<Proof> {
    checkOptions("prove", options, PLACED);
    return this.read(options.at, async (tip) => {
      const { prove } = await import("../history/verbs/prove.js");
      return prove(this.context, this.engine.reader, tip, id, options.scope);
    });
  }

  async stats(options: { readonly at?: string } = {}): Promise<Stats> {
    checkOptions("stats", options, THEN);
    return this.read(options.at, async (tip, now) => {
      const { stats } = await import("../history/verbs/stats.js");
      return stats(this.context, this.engine.reader, tip, now);
    });
  }

  /**
   * Ends the session. When it is the last of its agent with its id in this process, what this agent had live only for it is
   * forgotten; another agent may go by the same id.
   */
  async close(): Promise<void> {
    const ends = this.engine.endSession(this.context, this);
    if (!ends) return;
    const { madeFor } = await import("./made-for.js");
    const found = await this.list({ session: this.context.sessionId as string });
    const mine = await this.read(undefined, (tip) => madeFor(this.context, this.engine.reader, tip, found));
    if (mine.length > 0)
      await this.transaction(async (tx) => {
        for (const { id, scope } of mine) await tx.forget(id, { scope, reason: "The session ended." });
      });
  }

  /** How the store is: can it be read and written, and what stands in the way? */
  async health(options: HealthOptions = {}): Promise<HealthReport> {
    checkOptions("health", options, { budgetMs: number });
    this.engine.assertOpen();
    const { checkHealth } = await import("../care/health.js");
    return checkHealth(this.engine.storage, this.engine, options);
  }

  #keep(tip: Tip, memory: Memory): void {
    if (this.#hotHead !== tip || this.#hot.size > 10_000) this.#hot.clear();
    this.#hotHead = tip;
    this.#hot.set(memory.id, memory);
  }
}
