import { detectLanguage } from "../../language/index.js";
import type { Corpus } from "./corpus.js";
import { bestFit } from "./dates.js";
import type { Matches } from "./matches.js";
import type { Question } from "./question.js";
import { askingWords } from "./words.js";

/** What vectors know about a question, given by the caller that holds them. A document is as near as its nearest part. */
export interface Nearness {
  /** Over all documents the caller sees: the scale on which a cosine is near or far. */
  readonly mean: number;
  readonly max: number;
  /** Cosine with the question, names stripped; undefined if not embedded or in a language the model does not know. */
  near(doc: number): number | undefined;
  /** Cosine with the end of the question, names stripped. */
  tail(doc: number): number | undefined;
  /** The nearest documents, which join the candidates. */
  readonly nearest: readonly number[];
  /** False when the question is in a language the model does not know: then the nearest join, and no cosine counts. */
  readonly knowsLanguage: boolean;
  knowsLanguageOf(doc: number): boolean;
}

/** How many of the nearest join the candidates. */
export const NEAREST = 100;

/** Questions differ in how near everything is; a spread below this is noise. */
const LEAST_SPREAD = 0.15;

/** A cosine on the question's own scale: 0 is the usual, 1 the best. A document without a vector is usual. */
const scaled = (nearness: Nearness, cosine: number | undefined): number =>
  cosine === undefined ? 0 : (cosine - nearness.mean) / Math.max(LEAST_SPREAD, nearness.max - nearness.mean);

/** What a text shows by itself, as bits: an index keeps it in a byte, and no text is read while ranking. */
export const TRAITS = {
  /** Ends in a question. */
  asks: 1,
  /** Holds a question. */
  holdsQuestion: 2,
  time: 4,
  /** At least one, at least two names inside sentences. */
  named: 8,
  namedTwice: 16,
} as const;

const ENDS_ASKING = /[?？؟]["'”’)\]\s]*$/u;
const HOLDS_ASKING = /[?？؟]/u;
const NAMES = /[\p{L}\p{N},;:] \p{Lu}[\p{L}\p{N}]+/gu;
/** Long texts are read this far: enough for what a message shows. */
const READ = 4_000;

export function traitsOf(text: string, language?: string): number {
  const words = askingWords(language ?? detectLanguage(text)?.code);
  const head = text.slice(0, READ);
  let traits = 0;
  if (ENDS_ASKING.test(text.slice(-40))) traits |= TRAITS.asks;
  if (HOLDS_ASKING.test(head)) traits |= TRAITS.holdsQuestion;
  if (words.time.test(head)) traits |= TRAITS.time;
  if (words.capitalsAreNames) {
    const names = head.match(NAMES)?.length ?? 0;
    if (names > 0) traits |= TRAITS.named;
    if (names > 1) traits |= TRAITS.namedTwice;
  }
  return traits;
}

/** Everything a feature may look at. */
export interface Scene {
  readonly corpus: Corpus;
  readonly question: Question;
  readonly matches: Matches;
  readonly nearness: Nearness | undefined;
  /** Days since 1970; undefined when age is not to count. */
  readonly today: number | undefined;
  readonly useConfidence: boolean;
  /** Known to speak of the name in the question, whatever the words. */
  readonly isSameMatter: boolean;
}

export interface Feature {
  readonly name: string;
  readonly meaning: string;
  /** Divided by the best candidate's value, so that questions of any length give the same scale. */
  readonly relative?: true;
  /** May weigh against a document; any other feature only speaks for it. */
  readonly signed?: true;
  /** 0 without vectors. */
  readonly vector?: true;
  value(scene: Scene, doc: number): number;
}

const has = (traits: number, trait: number): boolean => (traits & trait) !== 0;

/** What kind of answer a text may be. An assistant's long answers are of every kind. */
function ownTrait(when: boolean, { corpus, matches }: Scene, doc: number, trait: number): number {
  return when && !corpus.hasRoles && has(matches.documents.get(doc)!.traits, trait) ? 1 : 0;
}

/** The question turn that a document may answer: the one before it, in a talk of people (an assistant answers everything). */
function answeredQuestion({ corpus, matches }: Scene, doc: number): number {
  const { previous } = matches.documents.get(doc)!;
  if (corpus.hasRoles || previous < 0) return -1;
  return has(matches.documents.get(previous)!.traits, TRAITS.asks) ? previous : -1;
}

const roleOf = ({ corpus, matches }: Scene, doc: number): "user" | "assistant" | "other" =>
  corpus.hasRoles ? matches.documents.get(doc)!.role : "other";

export const FEATURES: readonly Feature[] = [
  {
    name: "words",
    meaning: "the document holds the question's words (BM25)",
    relative: true,
    value: ({ matches }, doc) => matches.withNames(doc),
  },
  {
    name: "around",
    meaning: "the document and its neighbours hold the question's words",
    relative: true,
    value: ({ matches }, doc) => matches.around(doc),
  },
  {
    name: "session",
    meaning: "its conversation is about the question",
    relative: true,
    value: ({ matches }, doc) => matches.session(doc),
  },
  {
    name: "phrase",
    meaning: "it holds the names and quoted phrases of the question",
    value: ({ matches, question }, doc) =>
      question.phrases.reduce((sum, places) => sum + (matches.holds(doc, places) === 1 ? 1 : 0), 0) /
      Math.max(1, question.phrases.length),
  },
  {
    name: "speaker",
    meaning: "it is said by somebody the question names",
    value: ({ matches, question }, doc) => (question.named.has(matches.documents.get(doc)!.speaker) ? 1 : 0),
  },
  {
    name: "isQuestion",
    meaning: "it asks rather than tells",
    signed: true,
    value: ({ corpus, matches }, doc) => {
      if (corpus.hasRoles) return 0;
      const { traits } = matches.documents.get(doc)!;
      return has(traits, TRAITS.asks) ? 1 : has(traits, TRAITS.holdsQuestion) ? 0.5 : 0;
    },
  },
  {
    name: "follows",
    meaning: "it follows a question",
    signed: true,
    value: (scene, doc) => (answeredQuestion(scene, doc) >= 0 ? 1 : 0),
  },
  {
    name: "answers",
    meaning: "it follows a question that holds the same words",
    relative: true,
    value: (scene, doc) => {
      const asked = answeredQuestion(scene, doc);
      return asked < 0 ? 0 : scene.matches.alone(asked);
    },
  },
  {
    name: "assistant",
    meaning: "it is said by the assistant",
    signed: true,
    value: (scene, doc) => (roleOf(scene, doc) === "assistant" ? 1 : 0),
  },
  {
    name: "askedAssistant",
    meaning: "the question is about what the assistant said, and so is it",
    value: (scene, doc) => {
      if (!scene.question.asksAssistant) return 0;
      const role = roleOf(scene, doc);
      return role === "assistant" ? 1 : role === "user" ? -1 : 0;
    },
  },
  {
    name: "date",
    meaning: "it was said at the date the question names, or soon after",
    value: ({ matches, question }, doc) => bestFit(question.dates, matches.documents.get(doc)!.day),
  },
  {
    name: "holdsName",
    meaning: "the question asks for a name, and it holds one",
    value: (scene, doc) =>
      (ownTrait(scene.question.asksName, scene, doc, TRAITS.named) +
        ownTrait(scene.question.asksName, scene, doc, TRAITS.namedTwice)) /
      2,
  },
  {
    name: "holdsTime",
    meaning: "the question asks when, and it holds a time",
    value: (scene, doc) => ownTrait(scene.question.asksTime, scene, doc, TRAITS.time),
  },
  {
    name: "near",
    meaning: "its meaning is near the question's",
    vector: true,
    value: ({ nearness }, doc) => (nearness ? scaled(nearness, nearness.near(doc)) : 0),
  },
  {
    name: "tail",
    meaning: "its meaning is near the question's end",
    vector: true,
    value: ({ nearness }, doc) => (nearness ? scaled(nearness, nearness.tail(doc)) : 0),
  },
  {
    name: "answersNear",
    meaning: "it follows a question whose meaning is near",
    vector: true,
    value: (scene, doc) => {
      const asked = answeredQuestion(scene, doc);
      if (asked < 0 || !scene.nearness) return 0;
      return Math.max(0, scaled(scene.nearness, scene.nearness.near(asked)));
    },
  },
];
