import { analyse, folded, type Query, queryTokens } from "../language/index.js";
import type { SceneCorpus } from "./corpus.js";
import { byLooseTag, bySubjectWord, byType } from "./facets.js";
import { dayOf, type Nearness, type Ranking, rank } from "./rank/index.js";
import { select, type Wanted } from "./scene.js";

export interface SearchSettings {
  readonly limit: number;
  /** Facets that a memory has to hold, all of them. */
  readonly facets?: readonly Wanted[];
  /** Whether what is newer and held more surely comes first among equals; true unless said. */
  readonly usePriors?: boolean;
  /** Vectors of this question, when there are any. */
  readonly nearness?: Nearness;
  /** By meaning, memory says of a name what is asked of it. */
  readonly isSameMatter?: boolean;
  /** Order by the vectors alone, and only what has one. */
  readonly byMeaning?: boolean;
}

/** Of a quoted phrase only the text can tell, so that more have to be looked at. */
const PHRASE_CANDIDATES = 1000;

const BY_MEANING = { provenance: "the cosine alone", byFeature: { near: 1 } };

/** The memories that answer a question best, best first. A question of filters alone gives what fits, and an empty one everything, newest first. */
export function search(corpus: SceneCorpus, query: Query, settings: SearchSettings): Ranking {
  const { scene } = corpus;
  const { limit, usePriors = true, nearness, byMeaning = false, isSameMatter = false } = settings;
  const held = query.exact ? query.phrases.flatMap((phrase) => phraseTerms(phrase, corpus)) : [];
  const allowed = allowedBy(corpus, query, [...(settings.facets ?? []), ...held]);
  if (queryTokens(query.text, corpus.languages).length === 0) {
    // Signs alone are a question that nothing answers; only nothing at all asks for everything.
    const fitting = allowed ?? (query.text.trim() === "" ? select(scene, []) : []);
    const hits = fitting
      .toSorted((a, b) => corpus.compare(b, a))
      .slice(0, limit)
      .map((doc) => ({ doc, score: 0, probability: 1, why: [] }));
    const judged = { answerable: hits.length > 0 ? 1 : 0, abstain: hits.length === 0 };
    return { hits, leads: [], follow: () => hits, ...judged };
  }
  const mask = allowed && new Uint8Array(corpus.capacity);
  for (const doc of allowed ?? []) mask![doc] = 1;
  const admits = (doc: number): boolean =>
    (!mask || mask[doc] === 1) && (!byMeaning || nearness?.near(doc) !== undefined);
  return rank(corpus, query, {
    limit: query.exact ? PHRASE_CANDIDATES : limit,
    ...(query.exact && { candidates: PHRASE_CANDIDATES }),
    ...((mask || byMeaning) && { admits }),
    ...(usePriors && !byMeaning && { today: dayOf(scene.now) }),
    useConfidence: usePriors && !byMeaning,
    ...(nearness && { nearness }),
    isSameMatter,
    ...(byMeaning && { weights: BY_MEANING }),
  });
}

/** What passes the filters of a question; undefined when there are none. */
function allowedBy({ scene }: SceneCorpus, query: Query, facets: readonly Wanted[]): number[] | undefined {
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
