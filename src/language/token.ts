export interface Token {
  readonly term: string;
  /** Where it stands in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** A function word: it is indexed, and asked for only when a question has nothing else. */
  readonly stop?: true;
}
