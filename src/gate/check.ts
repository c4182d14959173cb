import type { MemoryId, Scope } from "../core/base/index.js";
import { type Lane, type MemoryRecord, type Trust, trustRank, weakest } from "../core/ledger/index.js";
import type { Rules } from "./config.js";
import type { Kind } from "./detect/rule.js";
import type { Refusal } from "./verdict.js";

export { refuse } from "./verdict.js";

/** Who writes, as far as checks may ask. */
export interface Writer {
  readonly id: string;
  /** How far the door is trusted. */
  readonly trust: Trust;
  sees(scope: Scope): boolean;
}

/** Everything a check may look at beside the record. */
export interface Situation {
  readonly writer: Writer;
  readonly rules: Rules;
  readonly near: Neighbourhood;
  /** Who else stands behind this write; "later" if the person who accepts it decides that. */
  readonly vouchers?: readonly Principal[] | "later" | undefined;
  /** The version that this write replaces. It is left out of comparisons. */
  readonly target?: MemoryRecord | undefined;
}

/** A check that lets a write pass may still change it or say something about it. */
export interface Note {
  /** The record without what was cut out of it. */
  readonly record?: MemoryRecord;
  /** Kinds of secrets or personal data that it holds or held. */
  readonly found?: readonly Kind[];
  /** It holds personal data and is to be kept as private. */
  readonly isPrivate?: true;
  /** The memory of which this is the new version. */
  readonly renews?: MemoryId;
  /** The memory that it may be at odds with, and which stays where it is. */
  readonly beside?: Beside;
}

/** What a write that stands beside an older memory says of it. */
export interface Beside {
  readonly against: MemoryId;
  readonly check: string;
  readonly reason: string;
  readonly hint: string;
}

export interface Check {
  readonly name: string;
  readonly lanes: readonly Lane[];
  /** It compares the write with other beliefs, which somebody has to look up first. */
  readonly compares?: true;
  run(record: MemoryRecord, situation: Situation): Refusal | Note | undefined;
}

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

/** One memory and those it was made from. */
export interface Derivation<Id> {
  readonly id: Id;
  readonly from: readonly Id[];
}

/** A memory that rests on another, and how it came to. */
interface Descent<Id> {
  readonly id: Id;
  /** The one between: what it was made from on the shortest way. */
  readonly via: Id;
  readonly distance: number;
}

/**
 * Everything that was made from a memory, directly or through others, without the memory itself, in the order of
 * distance. Circles, which only damage could make, end the walk like anything already seen.
 */
export function taintedBy<Id>(start: Id, derivations: Iterable<Derivation<Id>>): Descent<Id>[] {
  const children = new Map<Id, Id[]>();
  for (const { id, from } of derivations)
    for (const parent of from) {
      const known = children.get(parent);
      if (known) known.push(id);
      else children.set(parent, [id]);
    }
  const seen = new Set<Id>([start]);
  const found: Descent<Id>[] = [];
  for (let at = -1; at < found.length; at++) {
    const here = at < 0 ? { id: start, distance: 0 } : (found[at] as Descent<Id>);
    for (const child of children.get(here.id) ?? [])
      if (!seen.has(child)) {
        seen.add(child);
        found.push({ id: child, via: here.id, distance: here.distance + 1 });
      }
  }
  return found;
}

/** Where a memory may come from, and how far that can be trusted at most, whatever the door says. */
export const SOURCES: ReadonlyMap<string, Trust> = new Map([
  ["chat", "operator"],
  ["user", "operator"],
  ["agent", "agent"],
  ["manual", "operator"],
  ["tool", "agent"],
  ["operator", "operator"],
  ["promotion", "operator"],
  ["observation", "agent"],
  ["extraction", "agent"],
  ["consolidation", "agent"],
  ["reflection", "agent"],
  ["merge", "operator"],
  ["file", "external"],
  ["web", "external"],
  ["import", "external"],
  ["ingest", "external"],
  ["document", "operator"],
  ["artifact", "external"],
]);

/** The trust of a write: never more than its source, the door it came through, and everything it was made from. */
export const trustOf = (source: string, channel: Trust, derivedFrom: readonly Trust[] = []): Trust =>
  weakest(channel, SOURCES.get(source) ?? "external", ...derivedFrom);

export interface Principal {
  readonly id: string;
  readonly trust: Trust;
}

/** Canon needs a user or operator; anything weaker is raised only when two different principals vouch for it. */
export function mayElevate(vouchers: readonly Principal[]): boolean {
  if (vouchers.some(({ trust }) => trustRank(trust) >= trustRank("user"))) return true;
  const known = vouchers.filter(({ trust }) => trust !== "external");
  return new Set(known.map(({ id }) => id)).size >= 2;
}
