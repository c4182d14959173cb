// The ranker and the text analysis, bundled from the sources.
import { bundled } from "./_bundle.mjs";
import { messageOf, readSet } from "./_sets.mjs";

export const loadRanker = () =>
  bundled("ranker", [
    "index/rank/index",
    ...["detect", "query", "tail"].map((one) => `language/${one}`),
    ...["chunks", "load", "names"].map((one) => `search/embed/${one}`),
  ]);

/**
 * Every question of a set with its candidates and their features. The fold says which questions are tested by weights that
 * never saw their conversation; a set of a single conversation is tested by weights that never saw the set.
 */
export function questionsOf(ranker, file, { set, foldOf, nearnessOf, candidates }) {
  const questions = [];
  readSet(file).convs.forEach((conv, number) => {
    const corpus = ranker.plainCorpus(conv.docs.map(messageOf));
    const place = new Map(conv.docs.map(({ id }, doc) => [id, doc]));
    const nearness = nearnessOf?.(conv);
    for (const { question, gold, category } of conv.queries) {
      if (gold.length === 0) continue;
      const near = nearness?.(question);
      const options = { candidates, ...(near ? { nearness: near } : {}) };
      const query = ranker.parseQuery(question);
      const { scene, candidates: found } = ranker.setScene(corpus, query, options);
      questions.push({
        set,
        conv,
        corpus,
        query,
        ...options,
        fold: foldOf(number),
        category,
        gold: gold.map((id) => place.get(id)),
        found,
        rows: ranker.evaluate(scene, found),
        nearest: options.nearness?.nearest.slice(0, 20) ?? [],
      });
    }
  });
  return questions;
}
