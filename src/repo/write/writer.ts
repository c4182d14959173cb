import {
  type BranchName,
  type Clock,
  type Hash,
  MAIN,
  PalimpsestError,
  timestamp,
} from "../../core/base/index.js";
import {
  GENESIS,
  GENESIS_CHANGESET,
  GENESIS_TIP,
  HEADS,
  headRef,
  type Tip,
} from "../../core/ledger/index.js";
import {
  firstHead,
  lostHead,
  nodeAge,
  type Ref,
  type StoredObject,
  type Transaction,
  type TransactResult,
} from "../../storage/index.js";
import { writing } from "../late.js";
import type { Reader } from "../read/reader.js";
import { giveWay } from "../read/turn.js";
import type { CommitInfo } from "./commit-info.js";
import type { Draft } from "./draft.js";
import { countUse } from "./uses.js";

/** One caller's write: judged and built on the head it will be committed on, again if that head moved. */
export interface Task<T> {
  readonly branch: BranchName;
  readonly info: CommitInfo;
  run(draft: Draft): Promise<T>;
  /**
   * Nothing else is in its transaction: it reads more of the head than a draft on top of it can tell, or takes so long
   * that a short write would wait for it.
   */
  readonly alone?: true;
  /** A draft on which it has run already, and what it answered; good if the head is still the same. */
  readonly rehearsed?: { readonly draft: Draft; readonly value: T };
}

export interface Done<T> {
  readonly value: T;
  /** Undefined when the job wrote nothing. */
  readonly tip: Tip | undefined;
  /** The head before it. */
  readonly before: Tip;
}

interface Queued {
  readonly job: Task<unknown>;
  resolve(done: Done<unknown>): void;
  reject(error: unknown): void;
}

type Outcome = { readonly done: Done<unknown> } | { readonly error: unknown };

/** After this many lost races the batch is judged once more with the write lock held. */
const STALE_ROUNDS = 2;
const BATCH = 512;
const CALM = 4;

/**
 * The one writer queue of a store in this process. All writes waiting for one branch become one database
 * transaction of one commit each, durable before anybody gets an answer; losing a race judges them all again.
 */
export class Writer {
  readonly #reader: Reader;
  readonly #clock: Clock;
  #queue: Queued[] = [];
  #running: Promise<void> | undefined;
  /** The head as this writer left it; good as long as nobody else has committed. Swapping the ref finds out. */
  #own:
    | { readonly branch: BranchName; readonly epoch: number; readonly tip: Tip; readonly ref: Ref }
    | undefined;
  /** Commits since the last lost race: after a few the own head is used without asking. */
  #calm = 0;
  readonly #onCommit: (droppable: number) => void;

  constructor(reader: Reader, clock: Clock, onCommit: (droppable: number) => void) {
    this.#reader = reader;
    this.#clock = clock;
    this.#onCommit = onCommit;
  }

  submit<T>(job: Task<T>): Promise<Done<T>> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, resolve: resolve as Queued["resolve"], reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when everything submitted so far has ended. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** A head may have been moved by other means: ask again. */
  forgetHead(): void {
    this.#own = undefined;
    this.#calm = 0;
  }

  /** Stores the nodes of the head this writer left, so that the next process need not fold them; may be left out. */
  async storeNodes(): Promise<void> {
    if (this.#own) await storeNodes(this.#reader, this.#own.tip);
  }

  /** Runs a job on the current head without committing: the verdicts are real, nothing is written. */
  async rehearse<T>(job: Task<T>): Promise<{ readonly draft: Draft; readonly value: T }> {
    await this.#reader.version();
    const { tip } = await readHead(this.#reader, job.branch);
    const draft = this.#draft(await writing.load(), job.branch, tip);
    return { draft, value: await job.run(draft) };
  }

  async #drain(): Promise<void> {
    await undefined;
    while (this.#queue.length > 0) {
      const branch = (this.#queue[0] as Queued).job.branch;
      await this.#commit(branch, this.#take(branch));
      await giveWay();
    }
    // In the same step as the last look at the queue: a job that comes a moment later starts a new round.
    this.#running = undefined;
  }

  /** The next batch of a branch, taken from the queue. Mostly it is all there is. */
  #take(branch: BranchName): readonly Queued[] {
    const batch = batchOf(this.#queue.filter(({ job }) => job.branch === branch));
    if (batch.length === this.#queue.length) this.#queue = [];
    else {
      const taken = new Set(batch);
      this.#queue = this.#queue.filter((queued) => !taken.has(queued));
    }
    return batch;
  }

  async #commit(branch: BranchName, batch: readonly Queued[]): Promise<void> {
    let outcomes: Outcome[] = [];
    let judgedOn: Draft | undefined;
    const attempt = async (transact: (transaction: Transaction) => Promise<TransactResult>) => {
      const built = await this.#build(branch, batch);
      outcomes = built.outcomes;
      judgedOn = built.draft;
      if (!built.transaction) return built.isChecked ? "ok" : this.#isStillOwn(branch);
      if (!built.isChecked && outcomes.some(isWithoutCommit) && (await this.#isStillOwn(branch)) === "stale")
        return "stale";
      const result = await transact(built.transaction);
      const { draft } = built;
      this.#own =
        result === "ok"
          ? { branch, epoch: built.transaction.epoch, tip: draft.tip, ref: { target: draft.tip.hash } }
          : undefined;
      this.#calm = result === "ok" ? this.#calm + 1 : 0;
      if (result === "ok") {
        draft.publish();
        this.#onCommit(draft.droppable);
      }
      return result;
    };
    try {
      const { storage } = this.#reader;
      for (let round = 0; ; round++) {
        const result =
          round < STALE_ROUNDS ? await attempt((t) => storage.transact(t)) : await storage.exclusive(attempt);
        if (result === "ok") break;
        if (round > 20) throw new PalimpsestError("STORE_BUSY", "The head kept moving under this write.");
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    if (judgedOn && judgedOn.uses.length > 0) await this.#countUses(judgedOn);
    for (const [at, outcome] of outcomes.entries()) {
      const { resolve, reject } = batch[at] as Queued;
      if ("done" in outcome) resolve(outcome.done);
      else reject(outcome.error);
    }
  }

  /** Before the next batch, which asks who was heard. What is durable stays so if a count is lost. */
  async #countUses({ uses, now }: Draft): Promise<void> {
    for (const use of uses) await countUse(this.#reader.storage, use, now).catch(() => undefined);
  }

  async #build(branch: BranchName, batch: readonly Queued[]) {
    const own = this.#own?.branch === branch && this.#calm >= CALM ? this.#own : undefined;
    const { epoch } = own ?? (await this.#reader.version());
    const { tip, ref } = own ?? (await readHead(this.#reader, branch));
    const rehearsed = batch.length === 1 ? batch[0]?.job.rehearsed : undefined;
    const isReady = rehearsed?.draft.isFreshOn(tip, epoch) === true;
    const draft = isReady
      ? rehearsed.draft
      : this.#draft(writing.loaded ?? (await writing.load()), branch, tip);
    const outcomes: Outcome[] = [];
    for (const { job } of batch) {
      try {
        const value = isReady ? rehearsed.value : await job.run(draft);
        const before = draft.tip;
        // What wrote thousands of memories leaves their commit to a turn of its own.
        const turn = giveWay();
        if (turn) await turn;
        const sealed = draft.seal(job.info);
        const tip = sealed instanceof Promise ? await sealed : sealed;
        outcomes.push({ done: { value, before, tip } });
      } catch (error) {
        draft.abandon();
        outcomes.push({ error });
      }
      const pause = outcomes.length < batch.length ? giveWay() : undefined;
      if (pause) await pause;
    }
    // A ref that is there keeps what is said of it: somebody may be changing that right now.
    const meta = ref ? undefined : FIRST_BRANCH;
    const turn = giveWay();
    if (turn) await turn;
    if (draft.isEmpty) return { outcomes, draft, isChecked: !own, transaction: undefined };
    const sealed = draft.transaction(ref?.target ?? null, meta, epoch);
    const transaction = sealed instanceof Promise ? await sealed : sealed;
    if (ref) return { outcomes, draft, isChecked: !own, transaction };
    const put = [GENESIS_CHANGESET, GENESIS, ...transaction.put];
    return { outcomes, draft, isChecked: !own, transaction: { ...transaction, put } };
  }

  /** Judged on a head that nobody asked about: an answer that no swap will check holds only if it is the head. */
  async #isStillOwn(branch: BranchName): Promise<TransactResult> {
    const ref = await this.#reader.storage.ref(headRef(branch));
    if (ref?.target === this.#own?.tip.hash) return "ok";
    this.#own = undefined;
    this.#calm = 0;
    return "stale";
  }

  #draft({ Draft }: Awaited<ReturnType<typeof writing.load>>, branch: BranchName, tip: Tip): Draft {
    return new Draft(this.#reader, branch, tip, timestamp(this.#clock()));
  }
}

/** The jobs that go into one transaction: as many as there are, up to one that wants to be alone. */
function batchOf(waiting: readonly Queued[]): readonly Queued[] {
  const next = waiting.findIndex(({ job }) => job.alone);
  return waiting.slice(0, Math.min(BATCH, next < 0 ? BATCH : Math.max(1, next)));
}

/** What is said of the branch that the first write makes. */
export const FIRST_BRANCH = { persona: "default", status: "open" } as const;

const isWithoutCommit = (outcome: Outcome): boolean => !("done" in outcome && outcome.done.tip);

/** The head of a branch; the first branch starts at the constant genesis commit. */
export async function readHead(
  reader: Reader,
  branch: BranchName,
): Promise<{ tip: Tip; ref: Ref | undefined }> {
  const ref = (await reader.storage.ref(headRef(branch))) ?? (await unfoundHead(reader, branch));
  if (ref) return { tip: await reader.tip(ref.target as Hash), ref };
  if (branch !== "main")
    throw new PalimpsestError("NO_BRANCH", `There is no branch ${JSON.stringify(branch)}.`);
  return { tip: GENESIS_TIP, ref: undefined };
}

/** Stores the nodes of a head, so that the next process need not fold them. They are derived; if it is stale, it is. */
export async function storeNodes(reader: Reader, { commit, hash }: Tip): Promise<void> {
  const { storage } = reader;
  const guard = await nodeAge(storage);
  if (await reader.isStored(commit.root)) return;
  const put: StoredObject[] = [];
  for (const [node, bytes] of await reader.fold({ commit, hash }))
    put.push({ kind: "node", hash: node, bytes });
  const { epoch } = await storage.version();
  await storage.transact({ put, refs: [], touch: [], ops: [], epoch, guard });
}

/** Others may make and delete the branch while the log is read: then it is looked for again. */
const ROUNDS = 3;

/**
 * The head of a branch that was just not found. Mostly there is no such branch, or no write yet; but one that the operation
 * log left somewhere was lost by damage, and who took it for a new one would hide a history and write beside it.
 */
export async function unfoundHead(reader: Reader, branch: string): Promise<Ref | undefined> {
  const { storage } = reader;
  if (branch === MAIN) return firstHead(storage);
  for (let round = 1; ; round++) {
    const { seq } = await storage.version();
    const wasThere = await isLeft(reader, HEADS + branch);
    const ref = await storage.ref(HEADS + branch);
    if (ref || !wasThere) return ref;
    if (round === ROUNDS || (await storage.version()).seq === seq) throw lostHead(HEADS + branch);
  }
}

/** Did the last operation that moved it leave it anywhere? */
async function isLeft(reader: Reader, head: string): Promise<boolean> {
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.opsBefore(before, PAGE);
    const known = await reader.values("operation", page.ops);
    for (const hash of page.ops) {
      const move = known.get(hash)?.refs.find(({ name }) => name === head);
      if (move) return move.after !== undefined;
    }
    before = page.seq;
  }
  return false;
}

const PAGE = 256;
