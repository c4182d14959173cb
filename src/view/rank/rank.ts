import type { Query } from "../text/index.js";
import { type Judged, judge } from "./answerable.js";
import type { Corpus } from "./corpus.js";
import { evaluate } from "./evaluate.js";
import { FEATURES, type Scene } from "./features.js";
import { findTerms, firstPass } from "./first-pass.js";
import { matchTerms } from "./matches.js";
import type { Nearness } from "./nearness.js";
import { withNeighbours } from "./neighbours.js";
import { PRIORS } from "./priors.js";
import { probabilities } from "./probability.js";
import { readQuestion } from "./question.js";
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
  /** Meaning has told that what is asked of a name is told of it. */
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
}

export interface Reason {
  readonly feature: string;
  readonly meaning: string;
  readonly points: number;
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

/** The best documents for a question, with their reasons, and whether they are likely to answer it. */
export function rank(corpus: Corpus, query: Query, options: RankOptions): Ranking {
  const { scene, candidates } = setScene(corpus, query, options);
  const { byFeature } = options.weights ?? (scene.nearness ? HYBRID : LEXICAL);
  const columns = [
    ...FEATURES.map((feature) => ({ ...feature, weight: byFeature[feature.name] ?? 0 })),
    ...PRIORS,
  ].filter(({ weight }) => weight !== 0);
  const values = evaluate(scene, candidates, columns);
  const pointsOf = (row: number, column: number): number =>
    columns[column]!.weight * values[row * columns.length + column]!;
  const whyOf = (doc: number, row: number): Reason[] => [
    ...columns
      .map(({ name, meaning }, column) => ({ feature: name, meaning, points: pointsOf(row, column) }))
      .filter(({ points }) => points !== 0)
      .sort((a, b) => Math.abs(b.points) - Math.abs(a.points)),
    ...(isForeign(options.nearness, doc) ? [FOREIGN] : []),
  ];
  const best = candidates
    .map((doc, row) => ({
      doc,
      row,
      score: columns.reduce((sum, _, column) => sum + pointsOf(row, column), 0),
    }))
    .sort((a, b) => b.score - a.score || corpus.compare(a.doc, b.doc))
    .slice(0, options.limit);
  const judged = judge(scene, candidates);
  const likely = probabilities(
    best.map(({ score }) => score),
    judged.answerable,
    scene.nearness !== undefined,
  );
  const hits = best.map(({ doc, row, score }, at) => ({
    doc,
    score,
    probability: likely[at]!,
    why: whyOf(doc, row),
  }));
  return { hits, ...judged };
}

const isForeign = (nearness: Nearness | undefined, doc: number): boolean =>
  nearness !== undefined && !(nearness.knowsLanguage && nearness.knowsLanguageOf(doc));
