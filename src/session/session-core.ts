import { type BranchName, type Timestamp, timestamp } from "../core/base/index.js";
import type { Tip } from "../core/ledger/index.js";
import type { Verdict } from "../gate/index.js";
import { lastCheckout } from "../history/index.js";
import type { Clean, CommitInfo, Context, Draft, Engine, RefPlan, WriteOptions } from "../repo/index.js";
import {
  answer,
  asVerdict,
  type Done,
  giveWay,
  loadedWriting,
  nowAt,
  snapshotMoves,
  type Task,
  tellCommit,
  tipAt,
  withCommit,
  writing,
} from "../repo/index.js";
import type { BulkOptions } from "./bulk.js";
import { loadedVerbs, writeVerbs } from "./late-verbs.js";

/** So many items are judged in no time, and may share a transaction with others. */
const FEW = 64;

/** How the verbs of a session read and write; the verbs themselves are in the classes above it. */
export class SessionCore {
  protected readonly engine: Engine;
  protected context: Context;
  /** Settles once it is known where the agent works; undefined after that. */
  #located: Promise<void> | undefined;
  /** Writes that were asked for and are not in the queue yet: those after them wait their turn. */
  #onTheWay = 0;

  constructor(engine: Engine, context: Context, branch: BranchName | undefined) {
    this.engine = engine;
    this.context = branch === undefined ? context : { ...context, branch };
    // Where the agent was last is read when a session starts: it stays there whatever others check out.
    this.#located = branch === undefined ? this.#locate() : undefined;
    this.#located?.catch(() => undefined);
  }

  get agent(): string {
    return this.context.agent;
  }
  /** The branch it works on; that of the agent's last checkout is known after the first call. */
  get branch(): string {
    return this.context.branch;
  }

  /**
   * Tells of what happened, a line each: a snapshot created, rolled back, not found, saved, loaded, load failed. Returns
   * the way to stop listening.
   */
  onLog(listener: (line: string) => void): () => void {
    this.engine.assertOpen();
    return this.engine.onLog(listener);
  }

  /** Another session of the same kind on the same branch. */
  protected sibling(context: Context): SessionCore {
    const Kind = this.constructor as new (...args: ConstructorParameters<typeof SessionCore>) => SessionCore;
    return new Kind(this.engine, context, context.branch);
  }

  protected async open<T>(run: () => Promise<T>): Promise<T> {
    this.engine.assertOpen();
    await this.#located;
    return run();
  }

  /** Answers with what was read past any one state. */
  protected async tell<T>(run: () => Promise<T>): Promise<T> {
    return answer(await this.open(run));
  }

  async #locate(): Promise<void> {
    const branch = await lastCheckout(this.engine, this.context.agent);
    if (branch !== undefined) this.context = { ...this.context, branch };
    this.#located = undefined;
  }

  /** Answers from the freshest head, or from an older commit whose time is then "now". */
  protected async read<T>(at: string | undefined, run: (tip: Tip, now: Timestamp) => Promise<T>): Promise<T> {
    return answer(await this.look(at, run));
  }

  /** The same for what stays inside. */
  protected look<T>(at: string | undefined, run: (tip: Tip, now: Timestamp) => Promise<T>): Promise<T> {
    return this.open(async () => {
      if (at === undefined)
        return run(await this.engine.head(this.context.branch), timestamp(this.engine.clock()));
      const { reader } = this.engine;
      const tip = await tipAt(this.context, reader, at);
      return run(tip, await nowAt(this.context, reader, tip));
    });
  }

  protected async write(
    verb: string,
    options: WriteOptions,
    run: (draft: Draft) => Promise<Verdict>,
  ): Promise<Verdict> {
    const { value, tip } = await this.#perform(verb, options, run);
    return options.dryRun ? withoutPlace(value) : tellCommit(value, tip);
  }

  /** Several verdicts of one commit. */
  protected async submit(
    verb: string,
    options: WriteOptions,
    run: (draft: Draft) => Promise<Verdict[]>,
    isLong = false,
  ): Promise<Verdict[]> {
    const { value, tip } = await this.#perform(verb, options, run, isLong);
    return value.map((judged) => (options.dryRun ? withoutPlace(judged) : withCommit(judged, tip)));
  }

  /** Runs on the head of the branch, and commits unless it is only a trial. */
  async #perform<T>(
    verb: string,
    options: WriteOptions,
    run: (draft: Draft) => Promise<T>,
    isLong = false,
  ): Promise<Pick<Done<T>, "value" | "tip">> {
    this.engine.assertOpen();
    const isReady = this.#onTheWay === 0 && !this.#located && loadedVerbs() !== undefined;
    const code = isReady ? loadedWriting() : undefined;
    const info = code ? code.commitInfo(this.context, verb, options) : await this.#getReady(verb, options);
    const { branch } = this.context;
    const job: Task<T> = isLong ? { branch, info, run, alone: true } : { branch, info, run };
    const { writer } = this.engine;
    if (options.dryRun) return { value: (await writer.rehearse(job)).value, tip: undefined };
    const done = await writer.submit(job);
    this.note(branch, done);
    return done;
  }

  /** In the order in which writes were asked for. */
  async #getReady(verb: string, options: WriteOptions): Promise<CommitInfo> {
    this.#onTheWay++;
    try {
      await this.#located;
      return await this.info(verb, options);
    } finally {
      this.#onTheWay--;
    }
  }

  /**
   * A write that takes its time: it is worked out beside the queue, and again inside it only if the head moved
   * meanwhile. Nobody waits for it.
   */
  protected async aside<T extends object>(
    verb: string,
    options: WriteOptions,
    run: (draft: Draft) => Promise<T>,
    branch: BranchName = this.context.branch,
    message?: (value: T) => string | undefined,
  ): Promise<T & { commit?: Tip["hash"] }> {
    const info = await this.info(verb, options);
    const job = { branch, info, run, alone: true as const };
    const rehearsed = await this.engine.writer.rehearse(job);
    if (options.dryRun) return rehearsed.value;
    const said = options.message ?? message?.(rehearsed.value);
    const done: Done<T> = await this.engine.writer.submit({
      ...job,
      info: await this.info(verb, { ...options, message: said }),
      rehearsed,
    });
    const { value, tip } = done;
    this.note(branch, done);
    return { ...value, ...(tip && { commit: tip.hash }) };
  }

  /** Tells whoever keeps account of this session's commits. */
  protected note(branch: BranchName, { before, tip }: Pick<Done<unknown>, "before" | "tip">): void {
    if (tip) this.context.made?.({ branch, before, after: tip });
  }

  protected moveRefs<T>(
    verb: string,
    plan: (clean: Clean) => Promise<RefPlan<T>>,
    options: { readonly alone?: boolean } = {},
  ): Promise<T> {
    return this.open(async () => {
      const { changeRefs } = await import("../repo/write/change-refs.js");
      return changeRefs(this.engine, this.context, await this.info(verb, {}), plan, options);
    });
  }

  protected async info(verb: string, options: WriteOptions): Promise<CommitInfo> {
    const [{ commitInfo }] = await Promise.all([writing(), writeVerbs()]);
    return commitInfo(this.context, verb, options);
  }

  /** The items of one commit of many, one after the other; before the first of several a snapshot is taken. */
  protected part<T>(
    verb: string,
    part: readonly T[],
    at: number,
    total: number,
    options: WriteOptions & BulkOptions,
    run: (draft: Draft, item: T) => Promise<Verdict>,
  ): Promise<Verdict[]> {
    const judgeAll = async (draft: Draft) => {
      const judged: Verdict[] = [];
      if (at === 0 && total > 1 && options.snapshot !== false)
        for (const move of await snapshotMoves(this.context, draft, `${verb} many`)) draft.move(move);
      for (const item of part) {
        judged.push(await asVerdict(draft, () => run(draft, item)));
        const pause = giveWay();
        if (pause) await pause;
      }
      return judged;
    };
    return this.submit(verb, options, judgeAll, part.length > FEW);
  }
}

/** What would wait for a person waits nowhere yet. */
const withoutPlace = ({ staged: _, ...judged }: Verdict): Verdict => judged as Verdict;
