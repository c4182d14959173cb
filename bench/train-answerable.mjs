// node bench/train-answerable.mjs --data <folder of question sets> [--vectors <folder>] [--write]
// Fits how likely a question can be answered: answerable questions of LoCoMo (without the adversarial) against
// never-stored ones, each side with the same weight, tested on conversations left out; the threshold too is set without them.
// Stores of 1 to 300 turns of the same conversations then tell whether that holds in a small one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadRanker } from "./_ranker.mjs";
import { messageOf, readSet } from "./_sets.mjs";
import { questionsOfSmall, SIZES } from "./_small-stores.mjs";
import { logistic } from "./_training.mjs";
import { vectorsOf } from "./_vectors.mjs";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    vectors: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const ranker = await loadRanker();
/** Aims below one in twenty: a threshold from so few questions lets more of the unseen pass. */
const FALSE_ANSWERS = 0.03;
const read = (file) => readSet(join(options.data, file)).convs;
const isAnswerable = ({ gold, category }) => gold.length > 0 && category !== "adversarial";

/** The signs of a question; none where nothing at all is near. */
function valuesOf(corpus, question, nearness) {
  const { scene, candidates } = ranker.setScene(
    corpus,
    ranker.parseQuery(question),
    nearness ? { nearness } : {},
  );
  return candidates.length === 0 ? undefined : ranker.SIGNS.map(({ value }) => value(scene, candidates));
}

function questionsOf(convs, isWanted, vectors) {
  return convs.flatMap((conv) => {
    const corpus = ranker.plainCorpus(conv.docs.map(messageOf));
    const nearness = vectors?.(conv);
    return conv.queries.filter(isWanted).map(({ question, gold, tier }) => {
      const near = nearness?.(question);
      return {
        conv: conv.conv_id,
        tier,
        values: valuesOf(corpus, question, near),
        isAnswerable: gold.length > 0,
        hasVectors: near !== undefined,
      };
    });
  });
}

/** Both kinds of question weigh the same, however many there are. */
function regress(from, used) {
  const yes = from.filter(({ isAnswerable }) => isAnswerable).length;
  const { weights, bias } = logistic(
    from.map(({ values, isAnswerable }) => ({
      row: used.map((at) => values[at]),
      isTrue: isAnswerable,
      weight: 1 / (2 * (isAnswerable ? yes : from.length - yes)),
    })),
  );
  return { bySign: Object.fromEntries(used.map((at, i) => [ranker.SIGNS[at].name, weights[i]])), bias };
}

const sure = ({ values }, { bias, bySign }) =>
  values
    ? 1 /
      (1 + Math.exp(-ranker.SIGNS.reduce((so, { name }, at) => so + (bySign[name] ?? 0) * values[at], bias)))
    : 0;

/** The lowest threshold that answers at most this share of the unanswerable. */
function thresholdOf(list) {
  const scores = list.filter(({ one }) => !one.isAnswerable).map(({ score }) => score);
  scores.sort((a, b) => b - a);
  return scores[Math.floor(scores.length * FALSE_ANSWERS)] ?? 0.5;
}

function judgementOf(whole, used) {
  const model = regress(whole, used);
  return { ...model, threshold: thresholdOf(whole.map((one) => ({ one, score: sure(one, model) }))) };
}

function auroc(list) {
  const no = list.filter(({ one }) => !one.isAnswerable);
  const yes = list.filter(({ one }) => one.isAnswerable);
  let wins = 0;
  for (const a of yes) for (const b of no) wins += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0;
  return wins / (yes.length * no.length);
}

function run(mode, used, vectors) {
  const locomo = read("locomo.json");
  const never = read("never-stored-locomo.json");
  const whole = [...questionsOf(locomo, isAnswerable, vectors), ...questionsOf(never, () => true, vectors)];
  const small = locomo.flatMap((conv, at) =>
    questionsOfSmall(ranker, conv, {
      seed: at + 1,
      stored: conv.queries.filter(isAnswerable),
      never: never[at].queries,
      nearnessOf: vectors?.(conv),
      valuesOf,
    }),
  );
  const tested = [];
  const testedSmall = [];
  for (const conv of new Set(whole.map((one) => one.conv))) {
    const isOther = (one) => one.conv !== conv;
    const judgement = judgementOf(whole.filter(isOther), used);
    const scored = (one) => ({ one, score: sure(one, judgement), threshold: judgement.threshold });
    tested.push(...whole.filter((one) => !isOther(one)).map(scored));
    testedSmall.push(...small.filter((one) => !isOther(one)).map(scored));
  }
  const share = (list) =>
    (100 * list.filter(({ score, threshold }) => score > threshold).length) / list.length;
  const tier = (name) => tested.filter(({ one }) => one.isAnswerable || one.tier === name);
  console.log(
    `${mode}: AUROC ${auroc(tested).toFixed(3)}, absent ${auroc(tier("absent")).toFixed(3)}, apart ${auroc(tier("apart")).toFixed(3)}; ` +
      `answered ${share(tested.filter(({ one }) => one.isAnswerable)).toFixed(1)} % of the answerable and ` +
      `${share(tested.filter(({ one }) => !one.isAnswerable)).toFixed(1)} % of the never stored`,
  );
  for (const cut of [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5]) {
    const no = tested
      .filter(({ one }) => !one.isAnswerable)
      .map(({ score }) => score)
      .sort((a, b) => b - a);
    const at = no[Math.floor(no.length * cut)];
    const yes = tested.filter(({ one }) => one.isAnswerable);
    console.log(
      `  ${100 * cut} % false answers: ${((100 * yes.filter(({ score }) => score > at).length) / yes.length).toFixed(1)} % kept`,
    );
  }
  for (const size of SIZES) {
    const of = (kind) =>
      share(testedSmall.filter(({ one }) => one.size === size && one.kind === kind)).toFixed(1);
    console.log(
      `  stores of ${size}: answered ${of("stored")} % of what is in them, ${of("never")} % of the never stored, ${of("elsewhere")} % of what is in another`,
    );
  }
  const judgement = judgementOf(whole, used);
  others(mode, judgement, vectors);
  return judgement;
}

/** A set that no weight has seen: its own unanswerable questions use the words of its chats. */
function others(mode, judgement, vectors) {
  const beam = questionsOf(read("beam-100k.json"), () => true, vectors).filter(
    (one) => !vectors || one.hasVectors,
  );
  if (beam.length === 0) return;
  const scored = beam.map((one) => ({ one, score: sure(one, judgement) }));
  const answered = (isAnswerable) => {
    const list = scored.filter(({ one }) => one.isAnswerable === isAnswerable);
    return `${list.filter(({ score }) => score >= judgement.threshold).length} of ${list.length}`;
  };
  console.log(
    `  BEAM, ${mode}: AUROC ${auroc(scored).toFixed(3)}; answered ${answered(true)} answerable, ${answered(false)} of its own unanswerable`,
  );
}

const fitted = [...ranker.SIGNS.keys()];
const models = {
  LEXICAL: run(
    "lexical",
    fitted.filter((at) => !ranker.SIGNS[at].vector),
  ),
};
if (options.vectors) models.HYBRID = run("hybrid", fitted, vectorsOf(ranker, options.vectors));

if (options.write && models.HYBRID) {
  const round = (value) => Number(value.toFixed(3));
  const text = Object.entries(models).map(
    ([name, { bias, bySign, threshold }]) => `
export const ANSWERABLE_${name}: Judgement = {
  bias: ${round(bias)},
  bySign: { ${Object.entries(bySign)
    .map(([sign, weight]) => `${sign}: ${round(weight)}`)
    .join(", ")} },
  threshold: ${round(threshold)},
};
`,
  );
  writeFileSync(
    join(import.meta.dirname, "..", "src", "index", "rank", "answerable-weights.ts"),
    `/**
 * Weights of the signs that a question can be answered. Written by bench/train-answerable.mjs: logistic regression on the
 * answerable questions of LoCoMo (without the adversarial) against never-stored ones; checked on stores of 1
 * to 300 of its turns; not to be changed by hand.
 */
export interface Judgement {
  readonly bias: number;
  readonly bySign: Readonly<Record<string, number>>;
  /** Below this, abstain: three in a hundred of the never-stored questions of the training were above it. */
  readonly threshold: number;
}
${text.join("")}`,
  );
}
