import type { Corpus, Document } from "./corpus.js";
import { bm25, type FoundTerm, rarity } from "./first-pass.js";
import type { AskedTerm, Question } from "./question.js";

/** How often each asked term occurs in the candidates, beside them, and in their conversations: all that matching needs. */
export interface Matches {
  readonly documents: ReadonlyMap<number, Document>;
  /** Share of what the question tells, names left out, that no document at all holds. */
  readonly absent: number;
  /** BM25 of a document by itself, with and without the names of speakers. */
  alone(doc: number): number;
  withNames(doc: number): number;
  /** BM25 of a document and its neighbours as one text. */
  around(doc: number): number;
  /** BM25 of the whole conversation; 0 where there are too few to tell apart. */
  session(doc: number): number;
  /** Share of what the question tells that the document holds, names left out; and with its neighbours. */
  share(doc: number): number;
  shareAround(doc: number): number;
  /** BM25 of what the question tells, names too, as a share of the best possible. */
  matched(doc: number): number;
  /** Share of what some terms of the question tell. */
  tells(doc: number, places: readonly number[]): number;
  /** Share of a phrase's terms. */
  holds(doc: number, places: readonly number[]): number;
}

const LONG = { k1: 2, b: 0.75 };
const ALONE = { k1: 1.2, b: 0.75 };
const AROUND = { k1: 1.2, b: 0.5 };
/** With fewer conversations, or conversations of one document, "the right conversation" says nothing. */
const FEWEST_SESSIONS = 6;
const MOST_SESSIONS = 0.7;

const sumOf = (numbers: Float32Array): number => numbers.reduce((sum, one) => sum + one, 0);

export function matchTerms(
  corpus: Corpus,
  question: Question,
  terms: readonly FoundTerm[],
  candidates: readonly number[],
): Matches {
  const width = terms.length;
  const documents = new Map<number, Document>();
  for (const doc of candidates) documents.set(doc, corpus.documentOf(doc));
  for (const doc of candidates)
    for (const beside of [documents.get(doc)!.previous, documents.get(doc)!.next])
      if (beside >= 0 && !documents.has(beside)) documents.set(beside, corpus.documentOf(beside));

  const slots = new Int32Array(corpus.capacity).fill(-1);
  [...documents.keys()].forEach((doc, slot) => {
    slots[doc] = slot;
  });
  const counts = new Float32Array(documents.size * width);
  const useSessions = corpus.sessions >= FEWEST_SESSIONS && corpus.sessions < MOST_SESSIONS * corpus.size;
  const sessionSlots = new Int32Array(useSessions ? corpus.sessionCapacity : 0).fill(-1);
  let sessionCount = 0;
  if (useSessions)
    for (const doc of candidates) {
      const session = corpus.sessionOf(doc);
      if (session >= 0 && sessionSlots[session] === -1) sessionSlots[session] = sessionCount++;
    }
  const sessionCounts = new Float32Array(sessionCount * width);
  const sessionFound = new Float32Array(width);
  const lastSeen = new Int32Array(sessionSlots.length).fill(-1);

  terms.forEach(({ postings }, i) => {
    for (const { docs, counts: found, length } of postings)
      for (let at = 0; at < length; at++) {
        const doc = docs[at]!;
        const slot = slots[doc]!;
        if (slot >= 0) counts[slot * width + i] = found[at]!;
        if (!useSessions) continue;
        const session = corpus.sessionOf(doc);
        if (session < 0) continue;
        if (lastSeen[session] !== i) {
          lastSeen[session] = i;
          sessionFound[i]! += 1;
        }
        const sessionSlot = sessionSlots[session]!;
        if (sessionSlot >= 0) sessionCounts[sessionSlot * width + i]! += found[at]!;
      }
  });

  const named = Float32Array.from(terms, ({ rarity }, i) => rarity * question.terms[i]!.weight);
  const plain = named.map((weight, i) => (question.terms[i]!.isName ? 0 : weight));
  const sessionWeights = plain.map((weight, i) =>
    weight === 0 ? 0 : rarity(corpus.sessions, sessionFound[i]!) * question.terms[i]!.weight,
  );
  const telling = Float32Array.from(terms, ({ found }, i) =>
    tellingOf(corpus.size, found, question.terms[i]!),
  );
  const weights = telling.map((weight, i) => (question.terms[i]!.isName ? 0 : weight));
  const total = sumOf(weights);
  const ceiling = (LONG.k1 + 1) * sumOf(telling);
  const average = corpus.averageLength;
  const sessionAverage = (average * corpus.size) / Math.max(1, corpus.sessions);
  const rowOf = (doc: number): number => slots[doc]! * width;
  const joined = new Float32Array(width);

  /** Counts of a document and its neighbours together, in `joined`; answers their length. */
  const join = (doc: number): number => {
    const { previous, next } = documents.get(doc)!;
    joined.fill(0);
    let length = 0;
    for (const one of [previous, doc, next]) {
      if (one < 0) continue;
      const row = rowOf(one);
      for (let i = 0; i < width; i++) joined[i]! += counts[row + i]!;
      length += corpus.lengthOf(one);
    }
    return length;
  };
  const shareOf = (from: Float32Array, row: number): number => {
    if (total === 0) return 0;
    let held = 0;
    for (let i = 0; i < width; i++) if (from[row + i]! > 0) held += weights[i]!;
    return held / total;
  };

  const missing = sumOf(weights.filter((_, i) => terms[i]!.found === 0));

  return {
    documents,
    absent: total === 0 ? 0 : missing / total,
    alone: (doc) => bm25(ALONE, counts, rowOf(doc), plain, corpus.lengthOf(doc), average),
    withNames: (doc) => bm25(LONG, counts, rowOf(doc), named, corpus.lengthOf(doc), average),
    around: (doc) => {
      const { previous, next } = documents.get(doc)!;
      // The neighbours of a user's turn are the assistant's long answers, which hold the words of everything.
      if (corpus.hasRoles || (previous < 0 && next < 0))
        return bm25(LONG, counts, rowOf(doc), plain, corpus.lengthOf(doc), average);
      const length = join(doc);
      return bm25(AROUND, joined, 0, plain, length, 3 * average);
    },
    session: (doc) => {
      const session = useSessions ? corpus.sessionOf(doc) : -1;
      if (session < 0) return 0;
      const length = corpus.sessionLengthOf(session);
      return bm25(
        AROUND,
        sessionCounts,
        sessionSlots[session]! * width,
        sessionWeights,
        length,
        sessionAverage,
      );
    },
    share: (doc) => shareOf(counts, rowOf(doc)),
    shareAround: (doc) => {
      join(doc);
      return shareOf(joined, 0);
    },
    matched: (doc) => bm25(LONG, counts, rowOf(doc), telling, corpus.lengthOf(doc), average) / (ceiling || 1),
    tells: (doc, places) => {
      const of = (some: readonly number[]): number => some.reduce((sum, i) => sum + telling[i]!, 0);
      return of(places.filter((i) => counts[rowOf(doc) + i]! > 0)) / (of(places) || 1);
    },
    holds: (doc, places) =>
      places.filter((i) => counts[rowOf(doc) + i]! > 0).length / Math.max(1, places.length),
  };
}

/** As if there were so many more documents, of which so many hold a word that is as rare as most, or a light one. */
const DOCUMENTS = 100;
const HELD = 0.2;
const LIGHT_HELD = 15;

/**
 * How much a term tells of what a question is about. A small memory cannot know how rare a word is: where it holds one fact,
 * the words of that fact are in every document, and all others look rare. So it is seen as part of a larger one.
 */
const tellingOf = (size: number, found: number, { isLight, weight }: AskedTerm): number =>
  weight * rarity(size + DOCUMENTS, found + (isLight ? LIGHT_HELD : HELD));
