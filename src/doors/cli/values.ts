import type { Json } from "../../session/index.js";
import { usage } from "./fail.js";

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const ISO = /^P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;

/** Milliseconds of `30s`, `15m`, `2h`, `7d`, `1w`, or of an ISO 8601 duration whose length is the same every day. */
export function durationOf(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)$/i.exec(text.trim()) ?? [];
  if (amount !== undefined && unit !== undefined)
    return Math.round(Number(amount) * (UNITS[unit.toLowerCase()] as number));
  const parts = ISO.exec(text.trim())?.slice(1);
  return parts?.reduce(
    (sum, part, index) => sum + Number(part ?? 0) * (UNITS["wdhms"[index] as string] as number),
    0,
  );
}

/** `K=V` pairs. */
export function attributesOf(pairs: readonly string[], flag = "--attr"): Record<string, Json> | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1)
        throw usage(
          `${flag} ${JSON.stringify(pair)} is not K=V.`,
          `For example ${flag} priority=1 or ${flag} city="Porto".`,
        );
      return [pair.slice(0, at), jsonOrText(pair.slice(at + 1))];
    }),
  );
}

/** A value that is JSON is taken as such, anything else is text. */
export function jsonOrText(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    // A number that JavaScript would change (an account number, say) stays what was typed.
    return typeof value === "number" && !isExact(value) ? text : value;
  } catch {
    return text;
  }
}

const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** Repeated options that also take commas. */
export const wordsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(",").map((word) => word.trim())).filter((word) => word !== "");
