// Small stores made of a conversation: its turns as they follow each other, and the same turns drawn at random, as single
// facts that know nothing of each other. Each turn is in one store of each size and kind.
import { messageOf } from "./_sets.mjs";
import { seeded } from "./_training.mjs";

export const SIZES = [1, 3, 10, 30, 100, 300];
/** About so many questions without an answer are asked in the stores of one size and conversation. */
const ELSEWHERE = 300;
const NEVER = 300;

function storesOf(conv, random) {
  const places = [...conv.docs.keys()];
  const drawn = [...places];
  for (let at = drawn.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [drawn[at], drawn[other]] = [drawn[other], drawn[at]];
  }
  const parts = (list, size) =>
    Array.from({ length: Math.floor(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
  const apart = ({ session: _, ...message }) => message;
  return SIZES.flatMap((size) => {
    const stores = [
      ...parts(places, size).map((docs) => ({ docs, messages: docs.map((at) => messageOf(conv.docs[at])) })),
      ...parts(drawn, size).map((docs) => ({
        docs,
        messages: docs.map((at) => apart(messageOf(conv.docs[at]))),
      })),
    ];
    return stores.map((store) => ({ ...store, size, of: stores.length }));
  });
}

/** Vectors of the whole conversation, as the store sees them whose documents are these. */
function within(nearness, docs) {
  const place = new Map(docs.map((doc, at) => [doc, at]));
  return {
    ...nearness,
    near: (at) => nearness.near(docs[at]),
    tail: (at) => nearness.tail(docs[at]),
    nearest: nearness.nearest.flatMap((doc) => place.get(doc) ?? []),
    knowsLanguageOf: (at) => nearness.knowsLanguageOf(docs[at]),
  };
}

/** What is asked of the small stores: questions whose evidence is in them, in another one, or nowhere. */
export function questionsOfSmall(ranker, conv, { seed, stored, never, nearnessOf, valuesOf }) {
  const random = seeded(seed);
  const near = new Map();
  const nearTo = (question) => {
    if (!near.has(question)) near.set(question, nearnessOf(question));
    return near.get(question);
  };
  return storesOf(conv, random).flatMap(({ docs, messages, size, of }) => {
    const corpus = ranker.plainCorpus(messages);
    const ids = new Set(docs.map((at) => conv.docs[at].id));
    const asked = [
      ...stored.flatMap(({ question, gold }) => {
        const held = gold.filter((id) => ids.has(id)).length;
        if (held === gold.length) return [{ kind: "stored", question }];
        const isDrawn = held === 0 && random() < ELSEWHERE / of / stored.length;
        return isDrawn ? [{ kind: "elsewhere", question }] : [];
      }),
      ...never
        .filter(() => random() < NEVER / of / never.length)
        .map(({ question }) => ({ kind: "never", question })),
    ];
    return asked.map(({ kind, question }) => ({
      conv: conv.conv_id,
      ...{ size, kind },
      values: valuesOf(corpus, question, nearnessOf && within(nearTo(question), docs)),
    }));
  });
}
