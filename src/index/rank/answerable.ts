import { ANSWERABLE_HYBRID, ANSWERABLE_LEXICAL, type Judgement } from "./answerable-weights.js";
import { bestFit } from "./dates.js";
import type { Scene } from "./features.js";

export interface Sign {
  readonly name: string;
  readonly meaning: string;
  readonly vector?: true;
  value(scene: Scene, candidates: readonly number[]): number;
}

const most = (candidates: readonly number[], value: (doc: number) => number): number =>
  candidates.reduce((best, doc) => Math.max(best, value(doc)), 0);

/** Signs that something in the memory is near the question. */
export const SIGNS: readonly Sign[] = [
  {
    name: "share",
    meaning: "most of the question that one document holds",
    value: ({ matches }, candidates) => most(candidates, matches.share),
  },
  {
    name: "shareAround",
    meaning: "most of the question that a document and its neighbours hold",
    value: ({ matches }, candidates) => most(candidates, matches.shareAround),
  },
  {
    name: "words",
    meaning: "the best match of words, as a share of the best possible",
    value: ({ matches }, candidates) => most(candidates, matches.matched),
  },
  { name: "absent", meaning: "what of the question occurs nowhere", value: ({ matches }) => matches.absent },
  {
    name: "terms",
    meaning: "how many words the question has",
    value: ({ question }) => Math.min(3, Math.log(1 + question.terms.length)),
  },
  {
    name: "dated",
    meaning: "the question names a date, whose words texts rarely repeat",
    value: ({ question }) => (question.dates.length > 0 ? 1 : 0),
  },
  {
    name: "date",
    meaning: "something was said at the date the question names",
    value: ({ matches, question }, candidates) =>
      most(candidates, (doc) => bestFit(question.dates, matches.documents.get(doc)!.day)),
  },
  {
    name: "phrase",
    meaning: "a document holds the names and phrases of the question; half where it has none",
    value: ({ matches, question: { phrases } }, candidates) =>
      phrases.length === 0
        ? 0.5
        : most(candidates, (doc) => phrases.filter((places) => matches.holds(doc, places) === 1).length) /
          phrases.length,
  },
  {
    name: "near",
    meaning: "the nearest meaning of a document",
    vector: true,
    value: ({ nearness }, candidates) => (nearness ? most(candidates, (doc) => nearness.near(doc) ?? 0) : 0),
  },
];

/** How likely a memory holds an answer, and whether that is too little to give one. */
export interface Judged {
  readonly answerable: number;
  readonly abstain: boolean;
  /** Why it is, where words fit a name and nothing that is asked of it; meaning may know better. */
  readonly another?: AnotherMatter;
}

/** Memory says other things of the name: no more likely than this. */
const ANOTHER = 0.2;

/** Shares of a whole dialogue, or of pairs of characters, are small whatever the memory holds. */
const UNDECIDED: Judged = { answerable: 0.5, abstain: false };

/**
 * How likely it is, 0 to 1, that the memory holds an answer. It says "little here is near this question", and never proves
 * that nothing is: a question in the memory's own words looks answerable.
 */
export function judge(
  scene: Scene,
  candidates: readonly number[],
  { bias, bySign, threshold }: Judgement = scene.nearness ? ANSWERABLE_HYBRID : ANSWERABLE_LEXICAL,
): Judged {
  if (candidates.length === 0) return { answerable: 0, abstain: true };
  if (!scene.question.isUsual) return UNDECIDED;
  const byWords = unembedded(scene, candidates);
  if (byWords && !byWords.abstain) return byWords;
  const sum = SIGNS.reduce((so, { name, value }) => {
    const weight = bySign[name];
    return weight === undefined ? so : so + weight * value(scene, candidates);
  }, bias);
  const answerable = 1 / (1 + Math.exp(-sum));
  const another = scene.isSameMatter ? undefined : anotherMatter(scene, candidates);
  return another
    ? { answerable: Math.min(answerable, ANOTHER), abstain: true, another }
    : { answerable, abstain: answerable < threshold };
}

/** What has no vector yet is not far from the question, it was not compared: words alone judge it. */
function unembedded(scene: Scene, candidates: readonly number[]): Judged | undefined {
  const { nearness } = scene;
  const unread = nearness ? candidates.filter((doc) => nearness.near(doc) === undefined) : [];
  return unread.length === 0 ? undefined : judge({ ...scene, nearness: undefined }, unread);
}

/** Something that is asked of a name, where memory says other things of it. */
export interface AnotherMatter {
  /** The question without the name. */
  readonly asked: string;
  /** What memory says of the name. */
  readonly docs: readonly number[];
}

/** A fact that holds less of what is asked of a name says something else of it. */
const LEAST_SHARE = 0.4;

/**
 * A fact says by itself of whom it speaks, so the name in a question fits everything that memory says of its bearer, and says
 * nothing about what is asked of them. Where no such fact holds the rest of the question, nor a second name of it, words do
 * not tell an answer. Undefined where one does, or where it cannot be judged: a turn of a conversation leans on others.
 */
function anotherMatter(
  { corpus, question, matches }: Scene,
  candidates: readonly number[],
): AnotherMatter | undefined {
  const { names, rest } = question;
  if (names.length === 0 || rest.length === 0) return undefined;
  const docs = candidates.filter((doc) => names.some((places) => matches.holds(doc, places) === 1));
  const tellsIt = (doc: number): boolean =>
    corpus.sessionOf(doc) >= 0 ||
    matches.tells(doc, rest) >= LEAST_SHARE ||
    names.filter((places) => matches.holds(doc, places) === 1).length > 1;
  return docs.length === 0 || docs.some(tellsIt) ? undefined : { asked: question.withoutNames, docs };
}
