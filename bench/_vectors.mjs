// Vectors of question sets, made by bench/embed-sets.mjs and kept in a folder: keys.json (the texts) and vectors.f32.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "./_sets.mjs";

const SIZE = 384;
const MAX_TOKENS = 256;

/** What the library embeds of a conversation: the parts of each document, and of a question two texts. */
export function textsOf(ranker, conv) {
  const names = new ranker.Names();
  for (const doc of conv.docs) names.learn({ speaker: doc.speaker || undefined, text: textOf(doc) });
  return {
    documents: conv.docs.map((doc) => ranker.chunkText(names.strip(textOf(doc)), MAX_TOKENS)),
    ofQuestion: (question) => {
      const { text } = ranker.parseQuery(question);
      return [names.strip(text), names.strip(ranker.tailOf(text))].map((one) => one.trim());
    },
  };
}

/** Answers, per conversation, what vectors know about a question; undefined for what has none. */
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
    const isEnglish = (text) => (ranker.detectLanguage(text)?.code ?? "en") === "en";
    const english = conv.docs.map((doc) => isEnglish(textOf(doc)));
    const parts = documents.map((texts) => texts.map(vector));
    if (parts.flat().some((one) => one === undefined)) return undefined;
    const cosines = (asked) =>
      parts.map((list) => (list.length === 0 ? 0 : Math.max(...list.map((one) => cosine(one, asked)))));
    return (question) => {
      const [asked, tail] = ofQuestion(question).map(vector);
      if (!asked || !tail) return undefined;
      const near = cosines(asked);
      const ends = tail === asked ? near : cosines(tail);
      return {
        mean: near.reduce((sum, one) => sum + one, 0) / near.length,
        max: Math.max(...near),
        near: (doc) => (english[doc] ? near[doc] : undefined),
        tail: (doc) => (english[doc] ? ends[doc] : undefined),
        nearest: [...near.keys()]
          .sort((a, b) => near[b] - near[a])
          .slice(0, ranker.NEAREST)
          .filter((doc) => english[doc]),
        knowsLanguage: isEnglish(ranker.parseQuery(question).text),
        knowsLanguageOf: (doc) => english[doc],
      };
    };
  };
}

const cosine = (a, b) => {
  let sum = 0;
  for (let i = 0; i < SIZE; i++) sum += a[i] * b[i];
  return sum;
};
