import type { SceneCorpus } from "./corpus.js";
import { byLooseTag, bySubjectWord, byType } from "./facets.js";
import { findTerms, firstPass, matchTerms, readQuestion } from "./rank/index.js";
import { byAge, select } from "./select.js";
import { analyse, folded, type Query, queryTokens } from "./text/index.js";

/** A memory that answers a question, how well, and what speaks for it. */
export interface Ranked {
  readonly doc: number;
  readonly score: number;
  readonly why: Readonly<Record<string, number>>;
}

/** How many of the first pass are looked at closely. */
const CANDIDATES = 200;
/** Of a quoted phrase only the text can tell, so that more have to be read. */
const PHRASE_CANDIDATES = 1000;

/** The memories that answer a question best, best first. A question of filters alone gives what fits, newest first. */
export function search(corpus: SceneCorpus, query: Query, facets: readonly string[]): Ranked[] {
  const { scene } = corpus;
  const question = readQuestion(query, corpus);
  const held = query.exact ? query.phrases.flatMap((phrase) => phraseTerms(phrase, corpus)) : [];
  const allowed = allowedBy(corpus, query, [...facets, ...held]);
  if (question.terms.length === 0)
    return (allowed ?? select(scene, []))
      .toSorted(byAge(scene.view))
      .reverse()
      .map((doc) => ({ doc, score: 0, why: {} }));
  const isAllowed = allowed && new Set(allowed);
  const terms = findTerms(corpus, question);
  const most = query.exact ? PHRASE_CANDIDATES : CANDIDATES;
  const candidates = firstPass(corpus, question, terms, most, (doc) => isAllowed?.has(doc) ?? true);
  const matches = matchTerms(corpus, question, terms, candidates);
  const older = byAge(scene.view);
  return candidates
    .map((doc) => ({ doc, score: matches.withNames(doc), why: { words: matches.withNames(doc) } }))
    .sort((a, b) => b.score - a.score || older(a.doc, b.doc));
}

/** What passes the filters of a question; undefined when there are none. */
function allowedBy({ scene }: SceneCorpus, query: Query, facets: readonly string[]): number[] | undefined {
  const { types, tags, subjects, after, before } = query;
  const needed = [
    ...facets,
    ...tags.map(byLooseTag),
    ...subjects.flatMap((subject) => analyse(subject).map(({ term }) => bySubjectWord(term))),
  ];
  if (needed.length === 0 && types.length === 0 && after === undefined && before === undefined)
    return undefined;
  const isInTime = (doc: number): boolean => {
    const date = scene.view.dateOf(doc);
    return !(after !== undefined && date < after) && !(before !== undefined && date >= before);
  };
  const lists = types.length === 0 ? [needed] : types.map((type) => [...needed, byType(folded(type))]);
  return lists.flatMap((list) => select(scene, list, undefined, isInTime));
}

/** Every word of a phrase is a term to be held; analysed in each language of the memories, one way has to fit. */
const phraseTerms = (phrase: string, { languages }: SceneCorpus): string[] =>
  languages.length === 1 ? queryTokens(phrase, languages).map(({ term }) => term) : [];
