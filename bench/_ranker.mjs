// The ranker and the text analysis, bundled from the sources: training needs what the package does not export.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { messageOf, readSet } from "./_sets.mjs";

const root = join(import.meta.dirname, "..");

export async function loadRanker() {
  const outfile = join(root, ".bench", "ranker.mjs");
  mkdirSync(join(root, ".bench"), { recursive: true });
  await build({
    stdin: {
      contents: 'export * from "./src/view/rank/index.ts"; export * from "./src/view/text/index.ts";',
      resolveDir: root,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "warning",
  });
  return await import(outfile);
}

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
      const { scene, candidates: found } = ranker.setScene(corpus, ranker.parseQuery(question), options);
      questions.push({
        set,
        conv: conv.conv_id,
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
