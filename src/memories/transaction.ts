import { setImmediate as nextTurn } from "node:timers/promises";
import { type Hash, type MemoryId, PalimpsestError } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import type { MemoryChange, MemoryInput, Verdict } from "../gate/index.js";
import type { Context, Draft, Job } from "../repo/index.js";
import {
  type CommitNote,
  checkGiven,
  checkOptions,
  commit,
  draftLookup,
  findNamed,
  giveWay,
  isExpired,
  object,
  readOnce,
  rehearse,
  text,
  withCommit,
} from "../repo/index.js";
import { FORGET, type ForgetOptions, UPDATE, type UpdateOptions } from "./options.js";
import { forget } from "./verbs/forget.js";
import { observe } from "./verbs/observe.js";
import { remember } from "./verbs/remember.js";
import { update } from "./verbs/update.js";

/** The verbs inside `session.transaction`. Their verdicts are provisional until the transaction returns. */
export interface Transaction {
  remember(memory: string | MemoryInput, input?: MemoryInput): Promise<Verdict>;
  update(id: string, change: string | MemoryChange, options?: UpdateOptions): Promise<Verdict>;
  forget(id: string, options?: ForgetOptions): Promise<Verdict>;
  observe(target: string, input?: Omit<MemoryInput, "text" | "id">): Promise<Verdict>;
  /** A record as this transaction sees it, by a name under which it may be changed. */
  get(id: string, options?: { readonly scope?: string }): Promise<MemoryRecord | undefined>;
}

export interface TransactionResult<T> {
  readonly value: T;
  readonly verdicts: readonly Verdict[];
  /** Undefined when nothing was written. */
  readonly commit: Hash | undefined;
}

type Step = (draft: Draft) => Promise<Verdict>;

/** What `fn` did: its steps, what each answered, and whether all of them ended well. */
interface Notes {
  readonly steps: Step[];
  readonly verdicts: Verdict[];
  isClean: boolean;
}

/**
 * `fn` may take its time, so it does not run inside the writer queue: it runs on a rehearsal of the head and its
 * steps are written down. If the head is still the same, the rehearsal is what is committed; if not, the steps
 * are executed again, at once, on the head they are committed on.
 */
export async function runTransaction<T>(
  context: Context,
  fn: (tx: Transaction) => Promise<T> | T,
  options: CommitNote,
): Promise<TransactionResult<T>> {
  const verb = "transaction";
  const {
    draft,
    value: { value, notes },
  } = await rehearse(context, { verb, options, run: (job) => noted(job, fn) });
  const run = async ({ draft: on }: Job) => {
    const verdicts: Verdict[] = [];
    for (const step of notes.steps) {
      verdicts.push(await step(on));
      const pause = giveWay();
      if (pause) await pause;
    }
    return verdicts;
  };
  const { verdicts } = notes;
  const rehearsed = notes.isClean ? { draft, value: verdicts } : undefined;
  const { value: judged, tip } = await commit(context, { verb, options, run }, rehearsed);
  return { value, commit: tip?.hash, verdicts: judged.map((verdict) => withCommit(verdict, tip)) };
}

/** Runs `fn` on a draft; what it wrote is left there. */
export async function recordSteps<T>(
  job: Job,
  fn: (tx: Transaction) => Promise<T> | T,
): Promise<{ readonly value: T; readonly verdicts: readonly Verdict[] }> {
  const { value, notes } = await noted(job, fn);
  return { value, verdicts: notes.verdicts };
}

async function noted<T>(job: Job, fn: (tx: Transaction) => Promise<T> | T) {
  const notes: Notes = { steps: [], verdicts: [], isClean: true };
  const { tx, end } = recorder(job, notes);
  try {
    return { value: await fn(tx), notes };
  } finally {
    await end();
  }
}

function recorder({ context, draft }: Job, notes: Notes) {
  let last: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  const execute = async (run: Step): Promise<Verdict> => {
    try {
      const verdict = await run(draft);
      notes.steps.push(run);
      notes.verdicts.push(verdict);
      return verdict;
    } catch (error) {
      notes.isClean = false;
      throw error;
    }
  };
  // One after the other, also when fn does not wait: a step must see the one before it.
  const inTurn = <R>(run: () => Promise<R>): Promise<R> => {
    if (hasEnded) return Promise.reject(endedError());
    const next = last.then(run);
    last = next.catch(() => undefined);
    return next;
  };
  const step = (run: Step): Promise<Verdict> => inTurn(() => execute(run));
  const tx: Transaction = {
    remember: async (memory, input = {}) => {
      const given: MemoryInput =
        typeof memory === "string"
          ? { ...readOnce(input), text: memory }
          : { ...readOnce(input), ...readOnce(memory) };
      // The id is drawn once, so that fn gets the id that is committed.
      let id: MemoryId | undefined;
      return step((on) =>
        remember({ context: { ...context, newId: () => (id ??= context.newId()) }, draft: on }, given),
      );
    },
    // Arguments are read once: a step that is run again must write what fn was answered.
    update: async (id, change, options = {}) => {
      checkOptions("update", options, UPDATE);
      const given = typeof change === "string" ? { text: change } : readOnce(change);
      return step((on) => update({ context, draft: on }, id, given, options));
    },
    forget: async (id, options = {}) => {
      checkOptions("forget", options, FORGET);
      return step((on) => forget({ context, draft: on }, id, options));
    },
    observe: async (target, input = {}) => {
      const given = readOnce(input);
      checkGiven("observe", { fields: given }, { fields: object });
      return step((on) => observe({ context, draft: on }, target, given));
    },
    get: async (id, options = {}) => {
      checkOptions("get", options, { scope: text });
      return inTurn(async () => {
        const key = await findNamed(context, draftLookup(draft), id, options.scope);
        const entry = key && (await draft.entry(key.scope, key.id));
        return entry && !isExpired(entry, draft.now) ? entry.record : undefined;
      });
    },
  };
  // What was begun belongs to it, and what follows from that without a pause.
  const end = async (): Promise<void> => {
    for (let seen: unknown; seen !== last; ) {
      seen = last;
      await last;
      await nextTurn();
    }
    hasEnded = true;
  };
  return { tx, end };
}

const endedError = (): PalimpsestError =>
  new PalimpsestError("CLOSED", "The transaction has ended; nothing was written.", {
    hint: "Wait for each step before the function that was given to transaction() returns.",
  });
