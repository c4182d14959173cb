// node bench/train-detector.mjs [--write]: fits the weights of the recall detector to the prompts in bench/prompts, which we
// wrote ourselves, each file by another hand. Each file is left out once: the figure to expect on prompts of somebody else.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { bundled, root } from "./_bundle.mjs";

const { values: options } = parseArgs({
  options: {
    write: { type: "boolean" },
    prompts: { type: "string" },
    also: { type: "string" },
    errors: { type: "string" },
  },
});
const folder = options.prompts ?? join(import.meta.dirname, "prompts");

/** Fewer prompts than these have a word too seldom to weigh it. */
const KNOWN = 4;
const SPARSE = 0.00015;
const SHRINK = 0.0005;
const STEPS = 400;

const { materialOf, wordingOf, pointsOf } = await bundled(
  "detector",
  ["detect-recall", "wording", "weigh"].map((one) => `recall/detect/${one}`),
);

const rowsOf = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map((row) => ({ ...JSON.parse(row), file: basename(file) }))
    .map((prompt) => ({ ...prompt, material: materialOf(prompt.text) }));

const keyOf = (language, piece) => `${language} ${piece}`;

function knownOf(prompts) {
  const count = new Map();
  for (const { material } of prompts)
    for (const word of new Set(material.words)) {
      const key = keyOf(material.language, word);
      count.set(key, (count.get(key) ?? 0) + 1);
    }
  return new Set([...count].filter(([, times]) => times >= KNOWN).map(([key]) => key));
}

const SIGN = "sign";
const piecesOf = ({ language, words, signs }, known) => [
  ...[...wordingOf(words, (word) => known.has(keyOf(language, word)))].map((piece) => keyOf(language, piece)),
  ...signs.map(({ name }) => keyOf(SIGN, name)),
];

/** Logistic regression with weights drawn to zero (FISTA); the points of the signs are one more feature. */
function fitted(prompts) {
  const known = knownOf(prompts);
  const place = new Map();
  const rows = prompts.map(({ material }) =>
    piecesOf(material, known).map((piece) => {
      if (!place.has(piece)) place.set(piece, place.size);
      return place.get(piece);
    }),
  );
  const width = place.size;
  const POINTS = width;
  const BIAS = width + 1;
  const weights = new Float64Array(width + 2);
  const ahead = new Float64Array(width + 2);
  let pace = 1;
  const STEP = 1 / 4;
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Float64Array(width + 2);
    rows.forEach((row, at) => {
      const points = pointsOf(prompts[at].material.signs);
      let sum = ahead[BIAS] + ahead[POINTS] * points;
      for (const i of row) sum += ahead[i];
      const error = (1 / (1 + Math.exp(-sum)) - (prompts[at].recall ? 1 : 0)) / rows.length;
      for (const i of row) gradient[i] += error;
      gradient[POINTS] += error * points;
      gradient[BIAS] += error;
    });
    const next = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2;
    for (let i = 0; i < width + 2; i++) {
      const isPiece = i < width;
      let value = ahead[i] - STEP * (gradient[i] + (isPiece ? SHRINK * ahead[i] : 0));
      if (isPiece) value = Math.sign(value) * Math.max(0, Math.abs(value) - STEP * SPARSE);
      ahead[i] = value + ((pace - 1) / next) * (value - weights[i]);
      weights[i] = value;
    }
    pace = next;
  }
  const byPiece = new Map([...place].map(([piece, i]) => [piece, weights[i]]));
  return { known, byPiece, ofPoints: weights[POINTS], bias: weights[BIAS] };
}

function logitOf({ material }, { known, byPiece, ofPoints, bias }) {
  return piecesOf(material, known).reduce(
    (sum, piece) => sum + (byPiece.get(piece) ?? 0),
    bias + ofPoints * pointsOf(material.signs),
  );
}

function measured(prompts, isRecall) {
  const flagged = prompts.filter(isRecall);
  const right = flagged.filter(({ recall }) => recall).length;
  const precision = right / Math.max(1, flagged.length);
  const recall = right / Math.max(1, prompts.filter((one) => one.recall).length);
  const f1 = (2 * precision * recall) / Math.max(1e-9, precision + recall);
  return `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)} of ${prompts.length}`;
}

function tell(name, prompts, isRecall) {
  console.log(`${name}: ${measured(prompts, isRecall)}`);
  const languages = [...new Set(prompts.map(({ lang }) => lang))];
  if (languages.length > 1)
    for (const language of languages.sort())
      console.log(
        `    ${language ?? "-"}: ${measured(
          prompts.filter(({ lang }) => lang === language),
          isRecall,
        )}`,
      );
}

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .sort();
const all = files.flatMap((name) => rowsOf(join(folder, name)));
const byRules = ({ material }) => pointsOf(material.signs) > 0.95;
const also = options.also ? rowsOf(options.also) : [];
const leftOut = [];
for (const name of files) {
  const tested = all.filter(({ file }) => file === name);
  const model = fitted(all.filter(({ file }) => file !== name));
  tell(`${name}, by signs alone`, tested, byRules);
  tell(`${name}, left out`, tested, (one) => logitOf(one, model) > 0);
  for (const one of tested) leftOut.push({ ...one, logit: logitOf(one, model) });
}
tell("all, left out", leftOut, ({ logit }) => logit > 0);
tell("all, left out, twice as likely as not", leftOut, ({ logit }) => logit > Math.log(2));
if (options.errors)
  writeFileSync(
    options.errors,
    leftOut
      .filter(({ recall, logit }) => recall !== logit > 0)
      .map(
        ({ recall, logit, lang, kind, text }) =>
          `${recall ? "MISS" : "FALSE"} ${logit.toFixed(1)} ${lang} ${kind} ${text}`,
      )
      .sort()
      .join("\n"),
  );
const model = fitted(all);
if (also.length > 0) tell(options.also, also, (one) => logitOf(one, model) > 0);

if (options.write) {
  /** The pieces of a language, or the signs, as `piece=hundredths|…`; every known word is among them. */
  const tableOf = (kind) => {
    const rows = new Map();
    const put = (key, value) => key.startsWith(`${kind} `) && rows.set(key.slice(kind.length + 1), value);
    for (const key of model.known) put(key, 0);
    for (const [key, weight] of model.byPiece)
      if (Math.round(100 * weight) !== 0) put(key, Math.round(100 * weight));
    return JSON.stringify(
      [...rows]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([piece, value]) => `${piece}=${value}`)
        .join("|"),
    );
  };
  const languages = [...new Set(all.map(({ material }) => material.language))].sort();
  writeFileSync(
    join(root, "src", "recall", "detect", "wording-weights.ts"),
    `/**
 * What signs, words and pairs of words say for asking memory, in hundredths, written by bench/train-detector.mjs: logistic
 * regression on ${all.length} prompts of our own; not to be changed by hand. A word of weight 0 is known and says nothing by itself.
 */
export const BIAS = ${Number(model.bias.toFixed(3))};
export const OF_POINTS = ${Number(model.ofPoints.toFixed(3))};
export const OF_SIGNS =
  ${tableOf(SIGN)};
export const OF_WORDING: Readonly<Record<string, string>> = {
${languages.map((language) => `  ${language}: ${tableOf(language)},`).join("\n")}
};
`,
  );
}
