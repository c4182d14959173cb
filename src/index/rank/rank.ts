import { analyse, detectLanguage, type Query } from "../../language/index.js";
import { type Judged, judge } from "./answerable.js";
import type { Corpus } from "./corpus.js";
import { FEATURES, type Feature, type Nearness, type Scene } from "./features.js";
import { best, findTerms, firstPass, rarity } from "./first-pass.js";
import { matchTerms } from "./matches.js";
import { LIKELY_HYBRID, LIKELY_LEXICAL } from "./probability-weights.js";
import { type Question, readQuestion } from "./question.js";
import type { Weights } from "./weights.js";
import { HYBRID } from "./weights-hybrid.js";
import { LEXICAL } from "./weights-lexical.js";

export interface RankOptions {
  readonly limit: number;
  /** Documents that filters, expiry or phrases leave out are not admitted. */
  readonly admits?: (doc: number) => boolean;
  /** Vectors of this question, when there are any. */
  readonly nearness?: Nearness;
  /** Today, in days since 1970; without it what is new counts as much as what is old. */
  readonly today?: number;
  /** Whether what is held more surely comes first; true unless said. */
  readonly useConfidence?: boolean;
  /** By meaning, memory says of a name what is asked of it. */
  readonly isSameMatter?: boolean;
  /** How many documents the first pass lets through. */
  readonly candidates?: number;
  /** Other weights than the trained ones. */
  readonly weights?: Weights;
}

export interface Hit {
  readonly doc: number;
  readonly score: number;
  /** How likely it is evidence for the question, 0 to 1. */
  readonly probability: number;
  /** What made the score, the weightiest first; the points add up to it. */
  readonly why: readonly Reason[];
}

export interface Ranking extends Judged {
  readonly hits: readonly Hit[];
  /** The best, whose texts lead further; none where that is no help. */
  readonly leads: readonly number[];
  /** The hits anew, by the texts of the leads too. To be called before the corpus changes. */
  follow(textOf: (lead: number) => string | undefined): readonly Hit[];
}

/** Few against the cost of a closer look; what the cut loses is in bench/RESULTS.md. */
const CANDIDATES = 200;

/** The documents worth a closer look, and all that is to be seen there. */
export function setScene(
  corpus: Corpus,
  query: Query,
  options: Omit<RankOptions, "limit">,
): { scene: Scene; candidates: number[] } {
  const { admits = () => true, nearness } = options;
  const question = readQuestion(query, corpus);
  const terms = findTerms(corpus, question);
  const found = firstPass(corpus, question, terms, options.candidates ?? CANDIDATES, admits);
  const near = nearness?.nearest.filter((doc) => admits(doc)) ?? [];
  const candidates = withNeighbours(corpus, [...new Set([...found, ...near])], admits);
  const scene: Scene = {
    corpus,
    question,
    matches: matchTerms(corpus, question, terms, candidates),
    nearness: nearness?.knowsLanguage ? nearness : undefined,
    today: options.today,
    useConfidence: options.useConfidence ?? true,
    isSameMatter: options.isSameMatter ?? false,
  };
  return { scene, candidates };
}

/** Said of a hit whose meaning could not count; it adds nothing to the score. */
const FOREIGN: Reason = {
  feature: "foreign",
  meaning: "the model does not know its language, or the question's: its meaning was not compared",
  points: 0,
};

/** Said of a hit that the leads speak for. */
const KIN = { feature: "kin", meaning: "it shares rare words with the best hits" };

/** The best documents for a question, with their reasons, and whether they are likely to answer it. */
export function rank(corpus: Corpus, query: Query, options: RankOptions): Ranking {
  const { scene, candidates } = setScene(corpus, query, options);
  const { question } = scene;
  const { byFeature, kin = 0 } = options.weights ?? (scene.nearness ? HYBRID : LEXICAL);
  const judged = judge(scene, candidates);
  const hitsOf = (rows: readonly Row[]): Hit[] => {
    const best = rows.slice(0, options.limit);
    const scores = best.map(({ score }) => score);
    const likely = probabilities(scores, judged.answerable, scene.nearness !== undefined);
    return best.map(({ doc, score, why }, at) => ({
      doc,
      score,
      probability: likely[at]!,
      why: [...why(), ...(isForeign(options.nearness, doc) ? [FOREIGN] : [])],
    }));
  };
  const ordered = (rows: Row[]): Row[] =>
    rows.sort((a, b) => b.score - a.score || corpus.compare(a.doc, b.doc));
  const rows = ordered(rowsOf(scene, candidates, byFeature));
  const hits = hitsOf(rows);
  // An assistant's long answers share words with everything.
  const leads = kin === 0 || corpus.hasRoles ? [] : leadsOf(rows);
  const isOpen = candidates.length < CANDIDATES ? (options.admits ?? (() => true)) : undefined;
  const follow: Ranking["follow"] = (textOf) => {
    if (leads.length === 0) return hits;
    const read = leads.map((lead) => ({ ...lead, text: textOf(lead.doc) }));
    const { fresh, value } = kinOf(corpus, question, read, candidates, isOpen);
    const all = [...candidates, ...fresh];
    const known =
      fresh.length === 0
        ? rows
        : rowsOf(
            { ...scene, matches: matchTerms(corpus, question, findTerms(corpus, question), all) },
            all,
            byFeature,
          );
    return hitsOf(ordered(known.map((row) => withPoints(row, { ...KIN, points: kin * value(row.doc) }))));
  };
  return { hits, leads: leads.map(({ doc }) => doc), follow, ...judged };
}

const isForeign = (nearness: Nearness | undefined, doc: number): boolean =>
  nearness !== undefined && !(nearness.knowsLanguage && nearness.knowsLanguageOf(doc));

/** An answer often shares no word with the question and stands right after a line that does. */
const SEEDS = 200;

/** The candidates, and what stands before and after the best of them. */
function withNeighbours(
  corpus: Corpus,
  candidates: readonly number[],
  admits: (doc: number) => boolean,
): number[] {
  const all = new Set(candidates);
  for (const doc of candidates.slice(0, SEEDS)) {
    const { previous, next } = corpus.documentOf(doc);
    for (const beside of [next, previous])
      if (beside >= 0 && !all.has(beside) && admits(beside)) all.add(beside);
  }
  return [...all];
}

export interface Reason {
  readonly feature: string;
  readonly meaning: string;
  readonly points: number;
}

/** A document with its score; what made it is worked out for the few that are shown. */
interface Row {
  readonly doc: number;
  readonly score: number;
  why(): Reason[];
}

function rowsOf(scene: Scene, candidates: readonly number[], byFeature: Weights["byFeature"]): Row[] {
  const columns = [
    ...FEATURES.map((feature) => ({ ...feature, weight: byFeature[feature.name] ?? 0 })),
    ...PRIORS,
  ].filter(({ weight }) => weight !== 0);
  const values = evaluate(scene, candidates, columns);
  return candidates.map((doc, row) => {
    const pointsOf = (column: number): number =>
      columns[column]!.weight * values[row * columns.length + column]!;
    return {
      doc,
      score: columns.reduce((sum, _, column) => sum + pointsOf(column), 0),
      why: () =>
        columns
          .map(({ name, meaning }, column) => ({ feature: name, meaning, points: pointsOf(column) }))
          .filter(({ points }) => points !== 0)
          .sort(byWeight),
    };
  });
}

/** A row that one reason more speaks for. */
const withPoints = (row: Row, reason: Reason): Row =>
  reason.points === 0
    ? row
    : { ...row, score: row.score + reason.points, why: () => [...row.why(), reason].sort(byWeight) };

const byWeight = (a: Reason, b: Reason): number => Math.abs(b.points) - Math.abs(a.points);

/** Speak for a document whatever is asked. Set by hand, mild: they decide between equals and little more. */
const PRIORS: readonly (Feature & { readonly weight: number })[] = [
  {
    name: "recent",
    meaning: "it is new",
    weight: 0.2,
    value: ({ matches, today }, doc) => {
      const { day } = matches.documents.get(doc)!;
      return today === undefined || day === undefined ? 0 : 0.5 ** (Math.max(0, today - day) / HALF_LIFE);
    },
  },
  {
    name: "unsure",
    meaning: "it is not held for sure",
    weight: -0.5,
    signed: true,
    value: ({ matches, useConfidence }, doc) =>
      useConfidence ? 1 - matches.documents.get(doc)!.confidence : 0,
  },
];

/** Days after which being new counts half. */
const HALF_LIFE = 90;

/** The features of each candidate, a row of numbers each, in the order of `features`. */
export function evaluate(
  scene: Scene,
  candidates: readonly number[],
  features: readonly Feature[] = FEATURES,
): Float64Array {
  const width = features.length;
  const values = new Float64Array(candidates.length * width);
  features.forEach(({ value, relative }, column) => {
    let most = 0;
    candidates.forEach((doc, row) => {
      const found = value(scene, doc);
      values[row * width + column] = found;
      if (found > most) most = found;
    });
    if (relative && most > 0) for (let at = column; at < values.length; at += width) values[at]! /= most;
  });
  return values;
}

/** What a probability is made from: one row for each of the scores, which fall. Equal scores are of equal rank. */
export function likelihoodSigns(scores: readonly number[]): { behind: number; rank: number }[] {
  let rank = 1;
  return scores.map((score, at) => {
    if (at > 0 && score < scores[at - 1]!) rank = at + 1;
    return { behind: score - scores[0]!, rank: Math.log(rank) };
  });
}

/** How likely each hit is evidence: that there is any, and then by its rank and its distance from the best. */
function probabilities(scores: readonly number[], answerable: number, isHybrid: boolean): number[] {
  const weights = isHybrid ? LIKELY_HYBRID : LIKELY_LEXICAL;
  return likelihoodSigns(scores).map(({ behind, rank }) => {
    const sum = weights.bias + weights.behind * behind + weights.rank * rank;
    return answerable / (1 + Math.exp(-sum));
  });
}

/** One of the best hits: its words lead to what the question has no word for. */
interface Lead {
  readonly doc: number;
  /** 1 for the best, less for those behind it. */
  readonly sure: number;
}

/** With its text; undefined where it cannot be read. */
interface ReadLead extends Lead {
  readonly text: string | undefined;
}

/** What the words of the leads show. */
interface Kin {
  /** How much a document shares with the leads: 1 is the most that any but they themselves do. */
  value(doc: number): number;
  /** Documents that are no candidates yet. */
  readonly fresh: readonly number[];
}

/** So many of the best are leads, and so many rare words of each count. */
const LEADS = 3;
const WORDS = 10;
/** A word that more than this share of the documents hold is not rare, unless they are few. */
const SHARE = 0.02;
const FEW = 64;
/** So many documents come along that no word of the question found, if they share this many words: one may be chance. */
const FRESH = 20;
const LEAST_SHARED = 2;
/** A long text is read this far. */
const READ = 4_000;
const K1 = 1.2;
const B = 0.5;

interface Scored {
  readonly doc: number;
  readonly score: number;
}

/** `rows` are in order, best first. */
const leadsOf = (rows: readonly Scored[]): Lead[] =>
  rows.slice(0, LEADS).map(({ doc, score }) => ({ doc, sure: Math.exp(score - rows[0]!.score) }));

/**
 * What shares rare words with the best hits, however it is asked for: the surer a lead, the more its words count. The words
 * of the question count elsewhere. Documents that are no candidates join if `isOpen` lets them; none without it.
 */
function kinOf(
  corpus: Corpus,
  question: Question,
  leads: readonly ReadLead[],
  candidates: readonly number[],
  isOpen?: (doc: number) => boolean,
): Kin {
  const words = rareWords(corpus, question, leads);
  const values = new Float32Array(corpus.capacity);
  const average = corpus.averageLength || 1;
  for (const { postings, worth } of words)
    for (const { docs, counts, length } of postings)
      for (let at = 0; at < length; at++) {
        const doc = docs[at]!;
        const count = counts[at]!;
        values[doc]! +=
          (worth * count * (K1 + 1)) / (count + K1 * (1 - B + (B * corpus.lengthOf(doc)) / average));
      }
  const known = new Set(candidates);
  const joins = (doc: number): boolean => !known.has(doc) && isOpen!(doc);
  const fresh = isOpen ? best(sharers(corpus, words), values, FRESH, joins, corpus.compare) : [];
  const own = new Set(leads.map(({ doc }) => doc));
  let most = 0;
  for (const list of [candidates, fresh])
    for (const doc of list) if (values[doc]! > most && !own.has(doc)) most = values[doc]!;
  return { fresh, value: (doc) => (most === 0 ? 0 : Math.min(1, values[doc]! / most)) };
}

/** The documents that hold enough of the words. */
function sharers({ capacity }: Corpus, words: ReturnType<typeof rareWords>): number[] {
  const shared = new Uint8Array(capacity);
  const found: number[] = [];
  for (const { postings } of words)
    for (const { docs, length } of postings)
      for (let at = 0; at < length; at++) if (++shared[docs[at]!]! === LEAST_SHARED) found.push(docs[at]!);
  return found;
}

/** The words of each lead that few documents hold, but more than one: where they occur, and what they are worth. */
function rareWords(corpus: Corpus, question: Question, leads: readonly ReadLead[]) {
  const asked = new Set(question.terms.map(({ term }) => term));
  const texts = leads.map(({ text = "", sure }) => {
    const terms = new Set(termsOf(text.slice(0, READ)));
    return { sure, terms: [...terms].filter((term) => !asked.has(term)) };
  });
  // Of common words it is enough to know that they are: where they occur is long to read.
  const found = new Map<string, number>();
  for (const term of new Set(texts.flatMap(({ terms }) => terms))) found.set(term, corpus.frequencyOf(term));
  const most = Math.max(FEW, corpus.size * SHARE);
  const worth = new Map<string, number>();
  for (const { sure, terms } of texts)
    for (const term of terms
      .filter((term) => found.get(term)! > 1 && found.get(term)! <= most)
      .sort((a, b) => found.get(a)! - found.get(b)!)
      .slice(0, WORDS))
      worth.set(term, (worth.get(term) ?? 0) + sure * rarity(corpus.size, found.get(term)!));
  return [...worth].map(([term, worth]) => ({ postings: corpus.postings(term), worth }));
}

const termsOf = (text: string): string[] =>
  analyse(text, detectLanguage(text)?.code ?? "en").flatMap(({ term, stop }) => (stop ? [] : term));
