/**
 * Order among siblings as text: between any two positions there is another one, so moving a child rewrites
 * nobody else. A position is an integer part, whose first letter tells its length, and a fraction; plain
 * halving alone would grow by a character every few appends.
 */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FIRST = "a0";
/** Nothing fits before it, so it is never given out whole, only with a fraction. */
const LEAST = `A${"0".repeat(26)}`;

const POSITION = /^[A-Za-z][0-9A-Za-z]*$/;

export const isPosition = (text: unknown): text is string =>
  typeof text === "string" &&
  text.length <= 1024 &&
  POSITION.test(text) &&
  text !== LEAST &&
  text.length >= integerLength(text) &&
  (text.length === integerLength(text) || !text.endsWith("0"));

/** A position after `low` and before `high`; undefined stands for the open end. */
export function positionBetween(low: string | undefined, high: string | undefined): string {
  if (low !== undefined && high !== undefined && low >= high) throw new RangeError("positions out of order");
  if (low === undefined && high === undefined) return FIRST;
  if (low === undefined) return before(high as string);
  const integer = integerOf(low);
  if (high === undefined) return increment(integer) ?? integer + middle(fractionOf(low), undefined);
  if (integer === integerOf(high)) return integer + middle(fractionOf(low), fractionOf(high));
  const next = increment(integer);
  return next !== undefined && next < high ? next : integer + middle(fractionOf(low), undefined);
}

function before(high: string): string {
  const integer = integerOf(high);
  if (integer === LEAST) return LEAST + middle("", fractionOf(high));
  if (integer < high) return integer;
  const previous = decrement(integer);
  return previous === LEAST ? LEAST + middle("", undefined) : previous;
}

function integerLength(position: string): number {
  const head = position.charCodeAt(0);
  return head >= 97 ? head - 97 + 2 : 90 - head + 2;
}
const integerOf = (position: string): string => position.slice(0, integerLength(position));
const fractionOf = (position: string): string => position.slice(integerLength(position));

/** A fraction strictly between two; it never ends in "0", so that something always fits before it. */
function middle(low: string, high: string | undefined): string {
  let common = 0;
  if (high !== undefined) while ((low[common] ?? "0") === high[common]) common++;
  if (common > 0 && high !== undefined)
    return high.slice(0, common) + middle(low.slice(common), high.slice(common));
  const from = low === "" ? 0 : DIGITS.indexOf(low.charAt(0));
  const to = high === undefined || high === "" ? DIGITS.length : DIGITS.indexOf(high.charAt(0));
  if (to - from > 1) return DIGITS.charAt(Math.round((from + to) / 2));
  if (high !== undefined && high.length > 1) return high.charAt(0);
  return DIGITS.charAt(from) + middle(low.slice(1), undefined);
}

function increment(integer: string): string | undefined {
  const digits = integer.slice(1).split("");
  for (let at = digits.length - 1; at >= 0; at--) {
    const value = DIGITS.indexOf(digits[at] as string) + 1;
    if (value < DIGITS.length) {
      digits[at] = DIGITS.charAt(value);
      return integer.charAt(0) + digits.join("");
    }
    digits[at] = "0";
  }
  const head = integer.charAt(0);
  if (head === "z") return undefined;
  if (head === "Z") return FIRST;
  const next = String.fromCharCode(head.charCodeAt(0) + 1);
  return next + "0".repeat(integerLength(next) - 1);
}

/** Never asked for what comes before `LEAST`. */
function decrement(integer: string): string {
  const digits = integer.slice(1).split("");
  for (let at = digits.length - 1; at >= 0; at--) {
    const value = DIGITS.indexOf(digits[at] as string) - 1;
    if (value >= 0) {
      digits[at] = DIGITS.charAt(value);
      return integer.charAt(0) + digits.join("");
    }
    digits[at] = "z";
  }
  const head = integer.charAt(0);
  const previous = head === "a" ? "Z" : String.fromCharCode(head.charCodeAt(0) - 1);
  return previous + "z".repeat(integerLength(previous) - 1);
}
