import type { MemoryId } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";

/**
 * The memories around one write, in its scope: what the writer may see, at the head the write is judged on and with the
 * writes queued before it. Looked up beforehand, so that checks need not wait.
 */
export interface Neighbourhood {
  /** Beliefs that share the most telling words with the text, and one with the same text if there is one. */
  readonly nearest: readonly MemoryRecord[];
  /** Beliefs about the same subject and predicate. */
  readonly slot: readonly MemoryRecord[];
  /** How many memories there are. */
  readonly count: number;
  /** In how many of them a word occurs: shared words that are everywhere say little. */
  frequency(word: string): number;
  /** How many memories are always injected; asked for only by a write that would be one of them. */
  readonly injectedCount: number;
  /** If that is as many as may be: those, registers before canon, the oldest first. */
  readonly injected: readonly MemoryRecord[];
  /** The memory whose text we showed to this writer as these words. */
  served(text: string): MemoryId | undefined;
  /** New beliefs of this session in the last hour. */
  recentBeliefs(): number;
}

/** Canon, and one register per topic, go into every prompt. */
export const isInjected = ({ tier, topic }: MemoryRecord): boolean => tier === "canon" || topic !== undefined;

export const NOTHING_NEAR: Neighbourhood = {
  nearest: [],
  slot: [],
  count: 0,
  frequency: () => 0,
  injectedCount: 0,
  injected: [],
  served: () => undefined,
  recentBeliefs: () => 0,
};
