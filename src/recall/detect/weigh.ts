import type { Cue } from "./cue.js";
import { wordingOf, wordsOf } from "./wording.js";
import { BIAS, OF_POINTS, OF_SIGNS, OF_WORDING } from "./wording-weights.js";

/** Points beyond these say no more. */
const MOST_POINTS = 3;
/** Of the wording, as many pieces are named as a reader takes in. */
const NAMED = 2;
const HAS_WORD = /\p{L}{2}|\p{Script=Han}/u;

export interface Weighed {
  /** The logarithm of the odds that memory is asked. */
  readonly logit: number;
  /** The pieces of its wording that say most. */
  readonly telling: readonly string[];
}

/** What the signs and the wording of a prompt say together. */
export function weigh(text: string, language: string, signs: readonly Cue[]): Weighed {
  const ofWording = tableOf(OF_WORDING[language] ?? "");
  const ofSigns = tableOf(OF_SIGNS);
  let logit = BIAS + OF_POINTS * pointsOf(signs);
  for (const { name } of signs) logit += ofSigns.get(name) ?? 0;
  const parts: [piece: string, weight: number][] = [];
  for (const piece of wordingOf(wordsOf(text, language), (word) => ofWording.has(word))) {
    const weight = ofWording.get(piece) ?? 0;
    if (weight !== 0) parts.push([piece, weight]);
    logit += weight;
  }
  parts.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const telling = parts.filter(([piece]) => HAS_WORD.test(piece)).slice(0, NAMED);
  return { logit, telling: telling.map(([piece, weight]) => `${weight < 0 ? "-" : "+"} "${piece}"`) };
}

export function pointsOf(signs: readonly Cue[]): number {
  const points = signs.reduce((sum, one) => sum + one.points, 0);
  return Math.max(-MOST_POINTS, Math.min(MOST_POINTS, points));
}

const made = new Map<string, ReadonlyMap<string, number>>();

/** `piece=hundredths|…` as a table, made when first used. */
function tableOf(rows: string): ReadonlyMap<string, number> {
  let table = made.get(rows);
  if (!table) {
    table = new Map(
      rows.split("|").map((row) => {
        const end = row.lastIndexOf("=");
        return [row.slice(0, end), Number(row.slice(end + 1)) / 100];
      }),
    );
    made.set(rows, table);
  }
  return table;
}
