// Vectors of question sets, kept in a folder: keys.json (the texts) and vectors.f32 (384 numbers each, unit length).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "./_sets.mjs";

const SIZE = 384;
const LONG_QUESTION = 300;
const LONG_TEXT = 700;

/** The end of a long question, which is what it asks; names kept. */
export const tailOf = (question) =>
  question.length > LONG_QUESTION ? question.trim().split("\n").slice(-3).join("\n") : question;

/** The texts of a conversation that are embedded: documents, their passages, and questions. */
export function textsOf(ranker, conv) {
  const names = ranker.nameWords(new Set(conv.docs.map(({ speaker }) => speaker ?? "")));
  const documents = conv.docs.map((doc) => {
    const whole = ranker.withoutNames(textOf(doc), names);
    return { whole, passages: ranker.passagesOf(whole), isLong: whole.length > LONG_TEXT };
  });
  return { documents, ofQuestion: (question) => [ranker.withoutNames(question, names), tailOf(question)] };
}

/** Answers, per conversation, what vectors know about a question; undefined for a conversation that has none. */
export function vectorsOf(ranker, folder) {
  const bytes = readFileSync(join(folder, "vectors.f32"));
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
  const place = new Map(
    JSON.parse(readFileSync(join(folder, "keys.json"), "utf8")).map((text, i) => [text, i]),
  );
  const vector = (text) => {
    const at = place.get(text);
    return at === undefined ? undefined : numbers.subarray(at * SIZE, (at + 1) * SIZE);
  };
  return (conv) => {
    const { documents, ofQuestion } = textsOf(ranker, conv);
    const parts = documents.map(({ passages }) => passages.map(vector));
    const wholes = documents.map(({ whole, isLong }, doc) =>
      isLong ? meanVector(parts[doc]) : vector(whole),
    );
    if (wholes.some((one) => one === undefined) || parts.flat().some((one) => one === undefined))
      return undefined;
    return (question) => {
      const [asked, tail] = ofQuestion(question).map(vector);
      if (!asked || !tail) return undefined;
      const whole = wholes.map((one) => cosine(one, asked));
      const passage = parts.map((list) => Math.max(...list.map((one) => cosine(one, asked))));
      const byPassage = [...whole.keys()].sort((a, b) => passage[b] - passage[a]);
      return {
        mean: whole.reduce((sum, one) => sum + one, 0) / whole.length,
        max: Math.max(...whole),
        whole: (doc) => whole[doc],
        passage: (doc) => passage[doc],
        tail: (doc) => cosine(wholes[doc], tail),
        nearest: byPassage.slice(0, 100),
      };
    };
  };
}

const cosine = (a, b) => {
  let sum = 0;
  for (let i = 0; i < SIZE; i++) sum += a[i] * b[i];
  return sum;
};

function meanVector(list) {
  if (list.some((one) => one === undefined)) return undefined;
  const mean = new Float32Array(SIZE);
  for (const one of list) for (let i = 0; i < SIZE; i++) mean[i] += one[i];
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
}
