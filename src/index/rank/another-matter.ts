import type { Scene } from "./features.js";

/** Something that is asked of a name, where memory tells other things of it. */
export interface AnotherMatter {
  /** The question without the name. */
  readonly asked: string;
  /** What is told of the name. */
  readonly docs: readonly number[];
}

/** A fact that holds less of what is asked of a name tells something else of it. */
const LEAST_SHARE = 0.4;

/**
 * A fact says by itself of whom it speaks, so the name in a question fits everything that is told of its bearer, and says
 * nothing about what is asked of them. Where no such fact holds the rest of the question, nor a second name of it, words do
 * not tell an answer. Undefined where one does, or where it cannot be judged: a turn of a conversation leans on others.
 */
export function anotherMatter(
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
