/**
 * What the ranker may ask about a collection. The index answers it for one caller, from what that caller may see: documents
 * of hidden partitions are in no posting and in no number, so that nothing invisible can change an answer.
 */
export interface Corpus {
  /** How many documents the caller sees. */
  readonly size: number;
  /** Document numbers are below this. */
  readonly capacity: number;
  /** Mean of `lengthOf`. */
  readonly averageLength: number;
  /** How many conversations these documents belong to, and the bound of their numbers. */
  readonly sessions: number;
  readonly sessionCapacity: number;
  /** Names of those who speak, as they are written. */
  readonly speakers: ReadonlySet<string>;
  /** Whether both a user and an assistant speak. */
  readonly hasRoles: boolean;
  /** Codes of the languages that at least one document in twenty is written in. */
  readonly languages: readonly string[];
  /** Where a term occurs: one list per partition, each in ascending order of documents. */
  postings(term: string): readonly Postings[];
  /** In how many documents a term occurs, without reading where; of a term that very many hold it may be rough. */
  frequencyOf(term: string): number;
  /** Number of terms that are not function words, over all fields. */
  lengthOf(doc: number): number;
  /** The conversation of a document, -1 if none. */
  sessionOf(doc: number): number;
  sessionLengthOf(session: number): number;
  /** Which of two comes first where scores are equal: by what they are, never by how the collection came about. */
  readonly compare: (a: number, b: number) => number;
  /** Asked for candidates and their neighbours only. */
  documentOf(doc: number): Document;
}

export interface Postings {
  readonly docs: ArrayLike<number>;
  /** Occurrences in each document, those in a weightier field counting more (`FIELD_WEIGHTS`). */
  readonly counts: ArrayLike<number>;
  readonly length: number;
}

export interface Document {
  /** The documents before and after it in its conversation, -1 if none. */
  readonly previous: number;
  readonly next: number;
  /** Name of the speaker, empty if nobody speaks. */
  readonly speaker: string;
  readonly role: "user" | "assistant" | "other";
  /** Day it was said or holds for, counted from 1970-01-01; of its conversation if it has none of its own. */
  readonly day: number | undefined;
  /** `traitsOf(text)`, which an index computes once. */
  readonly traits: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** How much an occurrence counts by where it is. Set by hand: a title says what a text is about. */
export const FIELD_WEIGHTS = {
  text: 1,
  title: 2,
  subject: 1.5,
  object: 1.5,
  topic: 1.5,
  tags: 1.5,
  speaker: 1,
} as const;
