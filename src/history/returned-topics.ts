import { idKey, type MemoryId, type Scope, scopeKey } from "../core/base/index.js";
import { type MemoryRecord, setAside, type Tip, trustRank } from "../core/ledger/index.js";
import { presentAt, restore, weakerThanWriter } from "../memories/index.js";
import type { Context, Draft, Reader } from "../repo/index.js";
import { type Claim, contestedTerms, keepsTopic } from "./merging.js";
import type { Conflict } from "./verbs/merge.js";

/** Memories that are put there while others hold their topics. The replay may take those away a moment later. */
export class ReturnedTopics {
  readonly #context: Context;
  readonly #draft: Draft;
  readonly #from: Tip | undefined;
  readonly #returned: { readonly scope: Scope; readonly id: MemoryId; readonly holder: MemoryId }[] = [];

  /** `from` is the state that is brought back; without it the session says anew what it puts there. */
  constructor(context: Context, draft: Draft, from?: Tip) {
    this.#context = context;
    this.#draft = draft;
    this.#from = from;
  }

  /** Called before the record is put there: then its topic is still the other's. */
  async note({ scope, id, topic }: MemoryRecord): Promise<void> {
    if (topic === undefined) return;
    const holder = (await this.#draft.topicHolder(scope, topic))?.record.id;
    if (holder !== undefined && holder !== id) this.#returned.push({ scope, id, holder });
  }

  /** Of two holders one keeps the topic, as in a merge; but nobody loses it to a session that may not change it. */
  async settle(): Promise<Conflict[]> {
    const [context, draft] = [this.#context, this.#draft];
    const conflicts: Conflict[] = [];
    for (const { scope, id, holder } of this.#returned) {
      const [back, other] = [await draft.entry(scope, id), await draft.entry(scope, holder)];
      if (back?.record.topic === undefined || back.record.topic !== other?.record.topic) continue;
      const mine = this.#from && (await claimAt(draft.reader, this.#from, back.record));
      const theirs = await claimAt(draft.reader, draft.start, other.record);
      const mayTake = context.sight.seesRecord(other.record) && !weakerThanWriter(context, other.record);
      const isStronger = (claim: Claim): boolean =>
        this.#from
          ? mine !== undefined && keepsTopic(mine, claim) === mine
          : trustRank(back.record.origin.trust) >= trustRank(claim.trust);
      const isTaken = theirs && mayTake && isStronger(theirs);
      const { author, trust, commit } = (isTaken ? theirs : mine) ?? { ...context, commit: undefined };
      const lost = setAside((isTaken ? other : back).record, "topic", undefined, {
        ...(commit && { commit }),
        author,
        trust,
      });
      await restore({ context, draft }, lost, "modify");
      conflicts.push({ scope, id: lost.id, field: "topic", terms: contestedTerms(lost, "topic", context) });
    }
    return conflicts;
  }
}

async function claimAt(reader: Reader, tip: Tip, record: MemoryRecord): Promise<Claim | undefined> {
  const present = await presentAt(reader, tip, scopeKey(record.scope), idKey(record.id));
  const { commit, ...by } = present?.setBy("topic") ?? {};
  if (!commit || !("author" in by)) return undefined;
  return { ...by, commit, time: (await reader.value("commit", commit)).time, record };
}
