import type { Corpus } from "./corpus.js";
import { bestFit } from "./dates.js";
import type { Matches } from "./matches.js";
import { type Nearness, scaled } from "./nearness.js";
import type { Question } from "./question.js";
import { TRAITS } from "./traits.js";

/** Everything a feature may look at. */
export interface Scene {
  readonly corpus: Corpus;
  readonly question: Question;
  readonly matches: Matches;
  readonly nearness: Nearness | undefined;
  /** Days since 1970; undefined when age is not to count. */
  readonly today: number | undefined;
  readonly useConfidence: boolean;
  /** Known to be told of the name in the question, whatever the words. */
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
