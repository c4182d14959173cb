import { analyse } from "../language/index.js";
import { logit } from "./figures.js";
import type { Certainty, Judge, Signs } from "./port.js";

/** A memory that search put forward. */
export interface Candidate {
  readonly text: string;
  /** When it was told or came to be true, in milliseconds; of two that say otherwise the later counts. */
  readonly told: number;
  /** The cosine of its vector with the question's. */
  readonly cosine?: number | undefined;
}

/** Places are those of the candidates as they were given. */
export interface JudgedAnswer {
  readonly certainty: Certainty;
  /** The one to quote. */
  readonly at: number;
  /** How likely each answers, by itself. */
  readonly answers: readonly number[];
  /** What the quoted one renewed: once an answer, no longer one. */
  readonly renewed: readonly number[];
  /** All that something later renewed. */
  readonly outdated: readonly number[];
  /** What says the same as the quoted one. */
  readonly same: readonly number[];
  readonly signs: Signs;
}

/** Who answers less likely than the best by more than this (in sums of a head) is no rival. */
const MARGIN = 3;
/** Relations are asked between so many. */
const RIVALS = 4;
/** A later one that renews the best is looked for so far below it: "from May it is 11" says little of what it is about. */
const FAR_BELOW = 5;

/**
 * Which of the memories answers the question, and how sure that is; undefined without any. A later one that renews another
 * takes its place, as far as it answers too: who asks for what was true once is not answered by what is true now.
 */
export async function judgedAnswer(
  judge: Judge,
  question: string,
  candidates: readonly Candidate[],
  signal?: AbortSignal,
): Promise<JudgedAnswer | undefined> {
  if (candidates.length === 0) return undefined;
  const texts = candidates.map(({ text }) => text);
  const answers = await judge.answers(question, texts, signal);
  const order = answers.map((_, at) => at).sort((a, b) => answers[b]! - answers[a]! || a - b);
  const line = logit(answers[order[0]!]!) - MARGIN;
  const rivals = order.filter((at) => logit(answers[at]!) >= line).slice(0, RIVALS);
  const { renewals, alike } = await relationsAmong(judge, rivals, candidates, signal);
  renewals.push(...(await successors(judge, order, rivals, candidates, answers, signal)));

  const likely = [...answers];
  for (const [later, earlier] of renewals) likely[later] = Math.max(likely[later]!, likely[earlier]!);
  const gone = new Set(renewals.map(([, earlier]) => earlier));
  const standing = order.filter((at) => !gone.has(at)).sort((a, b) => likely[b]! - likely[a]! || a - b);
  const at = standing[0]!;
  const same = alike.flatMap(([a, b]) => (a === at ? [b] : b === at ? [a] : []));
  const next = standing.find((other) => other !== at && !same.includes(other));
  const signs: Signs = {
    answers: likely[at]!,
    next: next === undefined ? 0 : answers[next]!,
    cosine: candidates[at]!.cosine,
    ...wordsFound(question, texts, at),
  };
  const renewed = renewals.filter(([later]) => later === at).map(([, earlier]) => earlier);
  return { certainty: judge.certainty(signs), at, answers, renewed, outdated: [...gone], same, signs };
}

type Places = readonly [later: number, earlier: number];

async function relationsAmong(
  judge: Judge,
  rivals: readonly number[],
  candidates: readonly Candidate[],
  signal: AbortSignal | undefined,
): Promise<{ renewals: Places[]; alike: Places[] }> {
  const renewals: Places[] = [];
  const alike: Places[] = [];
  const inTime = [...rivals].sort((a, b) => candidates[a]!.told - candidates[b]!.told || a - b);
  for (const [n, later] of inTime.entries()) {
    const earlier = inTime.slice(0, n);
    if (earlier.length === 0) continue;
    const relations = await judge.relations(
      candidates[later]!.text,
      earlier.map((at) => candidates[at]!.text),
      signal,
    );
    for (const [at, { same, renews }] of relations.entries()) {
      if (same >= judge.lines.same) alike.push([later, earlier[at]!]);
      else if (renews >= judge.lines.rival) renewals.push([later, earlier[at]!]);
    }
  }
  return { renewals, alike };
}

/** Those told after the likeliest, and too unlikely to be its rivals, that renew it. */
async function successors(
  judge: Judge,
  order: readonly number[],
  rivals: readonly number[],
  candidates: readonly Candidate[],
  answers: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Places[]> {
  const best = order[0]!;
  const later = order
    .filter((at) => !rivals.includes(at) && candidates[at]!.told > candidates[best]!.told)
    .filter((at) => logit(answers[at]!) >= logit(answers[best]!) - FAR_BELOW)
    .slice(0, RIVALS);
  const renews = await Promise.all(
    later.map(async (at) => {
      const [relation] = await judge.relations(candidates[at]!.text, [candidates[best]!.text], signal);
      return relation!.same < judge.lines.same && relation!.renews >= judge.lines.renews;
    }),
  );
  return later.filter((_, n) => renews[n]).map((at): Places => [at, best]);
}

/** How much of what the question says stands in the quoted memory, and how much in none. */
function wordsFound(
  question: string,
  texts: readonly string[],
  at: number,
): { words: number; unseen: number } {
  const asked = [...termsOf(question)];
  if (asked.length === 0) return { words: 0, unseen: 0 };
  const told = texts.map(termsOf);
  const share = (isIt: (term: string) => boolean) => asked.filter(isIt).length / asked.length;
  return {
    words: share((term) => told[at]!.has(term)),
    unseen: share((term) => !told.some((terms) => terms.has(term))),
  };
}

const termsOf = (text: string): Set<string> =>
  new Set(analyse(text).flatMap(({ term, stop }) => (stop ? [] : [term])));
