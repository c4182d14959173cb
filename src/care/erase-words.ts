import type { Hash, JsonObject } from "../core/base/index.js";
import { HEADS, STAGING } from "../core/ledger/index.js";
import { SCRATCH } from "../palace/index.js";
import type { Reader } from "../repo/index.js";
import type { RefMove } from "../storage/index.js";
import type { Doomed } from "./erase-target.js";
import { CLEARED } from "./word-places.js";
import type { Found, WordsFound } from "./word-search.js";
import { nameWord, says, type Word, wordOf } from "./word-values.js";

/** What else an erasure looks for than memories: the words that were asked, or else what the memories were called. */
export function wordsOf(containing: string | undefined, doomed: readonly Doomed[]): Word[] {
  if (containing !== undefined) return [wordOf(containing)];
  const names = doomed.flatMap(({ record: { id, topic } }) => (topic === undefined ? [id] : [id, topic]));
  return [...new Set(names)].map(nameWord);
}

/** What goes with the words, outside of memories. */
export interface GoingWords {
  /** What was said of commits and operations. */
  readonly notes: ReadonlySet<Hash>;
  /** Keys of scratchpads. */
  readonly pads: ReadonlySet<string>;
  /** Names of refs of which something else is said, or nothing, from now on. */
  readonly described: ReadonlySet<string>;
  readonly words: readonly Word[];
}

export const NO_WORDS: GoingWords = { notes: new Set(), pads: new Set(), described: new Set(), words: [] };

/** Of what the session sees: notes, scratchpads, and what is said of branches and snapshots. Names stay what they are. */
export function goingWords({ seen }: WordsFound, words: readonly Word[]): GoingWords {
  const of = <T extends string>(isMeant: (one: Found) => boolean): ReadonlySet<T> =>
    new Set(seen.filter(isMeant).map(({ source }) => source as T));
  return {
    notes: of((one) => one.in === "note"),
    pads: of((one) => one.in === "side" && one.source.startsWith(`${SCRATCH}/`)),
    described: of(
      (one) =>
        one.in === "ref" && !one.source.startsWith(STAGING) && CLEARED.has(one.path.slice(1).join(".")),
    ),
    words,
  };
}

/** A snapshot that has a label is kept for good; it still has one. */
const LABEL = "erased";

/** Moves that say of refs what was said, without the words. */
export async function describedAnew(
  { storage }: Reader,
  { described, words }: GoingWords,
): Promise<RefMove[]> {
  const moves: RefMove[] = [];
  for (const name of described) {
    const ref = await storage.ref(name);
    if (!ref?.meta) continue;
    const isGone = (value: unknown) => typeof value === "string" && words.some((word) => says(value, word));
    const kept = Object.entries(ref.meta).flatMap(([key, value]): [string, JsonObject[string]][] => {
      if (!CLEARED.has(key) || !isGone(value)) return [[key, value]];
      return key === "label" ? [[key, LABEL]] : [];
    });
    moves.push({ name, expect: ref.target, next: { target: ref.target, meta: Object.fromEntries(kept) } });
  }
  return moves;
}

/** Heads move by commits too: one move for each ref, that says both. */
export function withDescriptions(moves: readonly RefMove[], described: readonly RefMove[]): RefMove[] {
  const said = new Map(described.map((move) => [move.name, move]));
  const heads = moves.map((move) => {
    const meta = said.get(move.name)?.next?.meta;
    if (!meta || !move.next || !move.name.startsWith(HEADS)) return move;
    said.delete(move.name);
    return { ...move, next: { ...move.next, meta } };
  });
  return [...heads, ...said.values()];
}

/** For the log: of what something else is said now, and where it stays, or where the commits before this one left it. */
export const stayingAt = (moves: readonly RefMove[], { described }: GoingWords): RefMove[] =>
  moves.flatMap(({ name, next }) =>
    next && described.has(name) ? [{ name, expect: next.target, next: { target: next.target } }] : [],
  );
