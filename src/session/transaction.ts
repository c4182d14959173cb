import type { Hash, MemoryId } from "../base/index.js";
import type { MemoryChange, MemoryInput, Verdict } from "../gate/index.js";
import type { MemoryRecord } from "../ledger/index.js";
import type { Context } from "./context.js";
import type { Draft } from "./draft.js";
import { isExpired } from "./entries.js";
import { draftLookup, findKey } from "./find.js";
import { type ForgetOptions, forget } from "./verbs/forget.js";
import { observe } from "./verbs/observe.js";
import { type Judged, remember } from "./verbs/remember.js";
import { type UpdateOptions, update } from "./verbs/update.js";
import type { Done } from "./writer.js";

/** The verbs inside `session.transaction`. Their verdicts are provisional until the transaction returns. */
export interface Transaction {
  remember(memory: string | MemoryInput, input?: MemoryInput): Promise<Verdict>;
  update(id: string, change: string | MemoryChange, options?: UpdateOptions): Promise<Verdict>;
  forget(id: string, options?: ForgetOptions): Promise<Verdict>;
  observe(target: string, input?: Omit<MemoryInput, "text" | "id">): Promise<Verdict>;
  /** A record as this transaction sees it. */
  get(id: string, options?: { readonly scope?: string }): Promise<MemoryRecord | undefined>;
}

export interface TransactionResult<T> {
  readonly value: T;
  readonly verdicts: readonly Verdict[];
  /** Undefined when nothing was written. */
  readonly commit: Hash | undefined;
}

interface Host {
  rehearse<R>(run: (draft: Draft) => Promise<R>): Promise<R>;
  submit<R>(run: (draft: Draft) => Promise<R>): Promise<Done<R>>;
}

type Step = (draft: Draft) => Promise<Judged>;

/**
 * `fn` may take its time, so it does not run inside the writer queue: it runs on a rehearsal of the head, its
 * steps are written down, and the steps are executed again, at once, on the head they are committed on.
 */
export async function runTransaction<T>(
  context: Context,
  fn: (tx: Transaction) => Promise<T> | T,
  host: Host,
): Promise<TransactionResult<T>> {
  const steps: Step[] = [];
  const value = await host.rehearse((draft) => Promise.resolve(fn(recorder(context, draft, steps))));
  const { value: judged, tip } = await host.submit(async (draft) => {
    const verdicts: Judged[] = [];
    for (const step of steps) verdicts.push(await step(draft));
    return verdicts;
  });
  const commit = tip?.hash;
  return {
    value,
    commit,
    verdicts: judged.map((verdict) =>
      commit && (verdict.verdict === "accepted" || verdict.verdict === "updated")
        ? { ...verdict, commit }
        : verdict,
    ),
  };
}

function recorder(context: Context, draft: Draft, steps: Step[]): Transaction {
  const step = async (run: Step): Promise<Verdict> => {
    const verdict = await run(draft);
    steps.push(run);
    return verdict;
  };
  return {
    remember: (memory, input = {}) => {
      const given: MemoryInput =
        typeof memory === "string" ? { ...input, text: memory } : { ...input, ...memory };
      // The id is drawn once, so that what fn was told is what is committed.
      let id: MemoryId | undefined;
      return step((on) => remember({ ...context, newId: () => (id ??= context.newId()) }, on, given));
    },
    update: (id, change, options = {}) =>
      step((on) => update(context, on, id, typeof change === "string" ? { text: change } : change, options)),
    forget: (id, options = {}) => step((on) => forget(context, on, id, options)),
    observe: (target, input = {}) => step((on) => observe(context, on, target, input)),
    get: async (id, options) => {
      const key = await findKey(context, draft.reader, draftLookup(draft), id, options?.scope);
      const entry = key && (await draft.entry(key.scope, key.id));
      return entry && !isExpired(entry, draft.now) ? entry.record : undefined;
    },
  };
}
