import type { Query } from "../../language/index.js";
import { type Judged, judge } from "./answerable.js";
import type { Corpus } from "./corpus.js";
import type { Scene } from "./features.js";
import { findTerms, firstPass } from "./first-pass.js";
import { kinOf, leadsOf } from "./leads.js";
import { matchTerms } from "./matches.js";
import type { Nearness } from "./nearness.js";
import { withNeighbours } from "./neighbours.js";
import { probabilities } from "./probability.js";
import { readQuestion } from "./question.js";
import { type Reason, type Row, rowsOf, withPoints } from "./rows.js";
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
