import type { MemoryId, Scope } from "../base/index.js";
import type { MemoryRecord } from "../ledger/index.js";

/**
 * What the gate asks about the memories around a write. It answers from what the writer may see, at the head the write
 * is judged on and with the writes queued before it, at once and without growing with the store.
 */
export interface Neighbourhood {
  /** Beliefs of the scope that share the most telling words with this text, best first. */
  nearest(scope: Scope, text: string, limit: number): readonly MemoryRecord[];
  /** How many beliefs the scope has, as far as they are compared. */
  count(scope: Scope): number;
  /** In how many beliefs of the scope a word occurs: shared words that are everywhere say little. */
  frequency(scope: Scope, word: string): number;
  /** Beliefs of the scope with this subject and predicate. */
  slot(scope: Scope, subject: string, predicate: string): readonly MemoryRecord[];
  /** How many memories of the scope are always injected. */
  injectedCount(scope: Scope): number;
  /** Those, the longest unchanged first. */
  injected(scope: Scope, limit: number): readonly MemoryRecord[];
  /** The memory whose text we showed to this writer as these words. */
  served(text: string): MemoryId | undefined;
  /** New beliefs of this session in the last hour. */
  recentBeliefs(): number;
}

/** Canon, and one register per topic, go into every prompt. */
export const isInjected = ({ tier, topic }: MemoryRecord): boolean => tier === "canon" || topic !== undefined;

/** A slot is a name for what has been said; case, width and separators do not make another. */
export const slotKey = (subject: string, predicate: string): string =>
  JSON.stringify(
    [subject, predicate].map((part) =>
      part
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[\s_-]+/g, " ")
        .trim(),
    ),
  );
