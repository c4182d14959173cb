/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const DUMMY =
  /x{4,}|\*{3,}|\.{3}|…|example|your|changeme|placeholder|redacted|dummy|sample|insert|<|>|\$\{|\{\{|\[/i;
const WORDS = new Set(
  "password passwd pass pwd secret token key apikey username user test null none undefined true false string str text value required optional disabled enabled hidden empty admin root default".split(
    " ",
  ),
);

/** Does it stand for a value rather than being one? Documentation is full of such keys. */
export function isPlaceholder(value: string, isSaid = false): boolean {
  if (DUMMY.test(value) || WORDS.has(value.toLowerCase())) return true;
  return !hasDistinct(value.toLowerCase(), Math.min(5, value.length / 3)) || isSequence(value, isSaid);
}

function hasDistinct(value: string, least: number): boolean {
  const seen: string[] = [];
  for (const character of value) {
    if (seen.includes(character)) continue;
    seen.push(character);
    if (seen.length >= least) return true;
  }
  return seen.length >= least;
}

/** "abcdefgh…", "0123456789…": somebody walked along the keyboard of the alphabet. Who says "abcd1234" may mean it. */
function isSequence(value: string, isSaid: boolean): boolean {
  if (value.length < 12) return false;
  let steps = 0;
  let row = 1;
  let longest = 1;
  for (let at = 1; at < value.length; at++) {
    const step = value.charCodeAt(at) - value.charCodeAt(at - 1);
    row = step === 1 || step === 0 ? row + 1 : 1;
    if (row > 1) steps++;
    if (row > longest) longest = row;
  }
  return steps > value.length * 0.65 && (!isSaid || longest >= 6);
}

/** Do the sorts of its characters change as often as by chance? In names, also in camel case, they stay for a word. */
export function isScrambled(value: string): boolean {
  let changes = 0;
  for (let at = 1; at < value.length; at++)
    if (sortOf(value.charCodeAt(at)) !== sortOf(value.charCodeAt(at - 1))) changes++;
  return changes >= (value.length - 1) * 0.4;
}
const sortOf = (code: number): number => {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 97 && code <= 122) return 1;
  return code >= 65 && code <= 90 ? 2 : 3;
};

/** Code that fetches a value, or a path where it lies, is not the value. */
export const isReference = (value: string): boolean =>
  /^(?:\$|%|@|process\.env|os\.|env[.(]|secrets\.|vault:|[A-Za-z_]\w*\(|[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+$)/.test(
    value,
  ) || /^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\\|https?:)[\w./\\~:-]*$/.test(value);

export interface Make {
  readonly lower: boolean;
  readonly upper: boolean;
  readonly digit: boolean;
  readonly symbol: boolean;
}
/** Of what sorts of characters a value is made. */
export function makeOf(value: string): Make {
  let [lower, upper, digit, symbol] = [false, false, false, false];
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code > 127) return makeOfAny(value);
    const sort = sortOf(code);
    if (sort === 0) digit = true;
    else if (sort === 1) lower = true;
    else if (sort === 2) upper = true;
    else symbol = true;
  }
  return { lower, upper, digit, symbol };
}
const makeOfAny = (value: string): Make => ({
  lower: /\p{Ll}/u.test(value),
  upper: /\p{Lu}/u.test(value),
  digit: /\d/.test(value),
  symbol: /[^\p{L}\d]/u.test(value),
});

/** As random as a generated key: long, mixed, and no sentence glued together with hyphens. */
export function isRandom(value: string, bits = 3): boolean {
  const { lower, upper, digit } = makeOf(value);
  // A few in a hundred of those that are drawn have no digit.
  if (!digit && !(lower && upper && value.length >= 20 && isScrambled(value))) return false;
  if (!(lower || upper)) return false;
  return entropy(value) >= bits && !isPlaceholder(value);
}
