import { type Random, shortId } from "../core/base/index.js";
import { laneOf } from "../core/ledger/index.js";
import { coverage } from "./by-words.js";
import { detectRecall } from "./detect/detect-recall.js";
import { envelope, type Item } from "./envelope.js";
import type { Citation } from "./layers.js";
import type { Recall } from "./verbs/recall.js";

export interface PromptBlockOptions {
  /** At most so many tokens, the frame included. */
  readonly budget: number;
  readonly random: Random;
  /** Left out, because nobody said these words. */
  isNoise?(text: string): boolean;
}

/** Beside the best, what is much less likely would only distract. */
const BESIDE = 0.25;
/** Holds so much of what another quotation says that it says it again. */
const AGAIN = 0.8;

/**
 * What is put before a prompt that nobody wrote for memory: the facts that answer it and then what was said, each thing once,
 * with ids as short as they can be. Never the question itself or an earlier one: who asked something knows nothing of it yet.
 */
export function promptBlock(asked: string, found: Recall, options: PromptBlockOptions): string {
  const said = found.citations.filter(
    (one) =>
      !(isSaid(one) && (isQuestion(one.text) || saysAgain(one.text, asked))) && !options.isNoise?.(one.text),
  );
  const best = Math.max(0, ...said.map(({ score }) => score));
  // Those that the judge took stand in its order; words alone find what would only distract.
  const telling = found.judged ? said : said.filter(({ score }) => score >= BESIDE * best);
  const facts = telling.filter((one) => !isSaid(one));
  const items: Item[] = facts.map(itemOf);
  for (const one of telling.filter(isSaid))
    if (!items.some(({ text }) => saysAgain(one.text, text))) items.push(itemOf(one));
  const { budget, random } = options;
  const heading =
    found.certainty === "certain" ? "Recalled" : "Nearest; whether it answers is for you to judge";
  return envelope([{ heading, items }], { title: "Memory", budget, random }).text;
}

const isSaid = ({ type }: { readonly type?: string | undefined }): boolean =>
  type !== undefined && laneOf(type) === "message";

const isQuestion = (text: string): boolean => {
  const { recall, asks } = detectRecall(text);
  return recall || asks || /[?？]\s*$/.test(text);
};

const saysAgain = (one: string, other: string): boolean =>
  coverage(one, [other]) >= AGAIN && numbersOf(one) === numbersOf(other);

/** Two values of one thing are two facts, however alike their words are. */
const numbersOf = (text: string): string => (text.match(/\d+/g) ?? []).join(" ");

const itemOf = ({ id, text, speaker, author, trust, saidAt, updatedAt }: Citation): Item => ({
  id,
  text,
  about: [
    ...(saidAt === undefined && updatedAt === undefined ? [] : [(saidAt ?? updatedAt ?? "").slice(0, 10)]),
    speaker === undefined ? `by ${author?.id ?? "unknown"}` : `said by ${speaker}`,
    ...(trust === "external" ? ["trust external"] : []),
    `id ${shortId(id)}`,
  ],
});
