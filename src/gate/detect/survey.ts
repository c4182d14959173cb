/** What one walk over a text finds in it: most rules need a long word, or a row of words that are alike, and most texts have none. */
export interface Survey {
  /** The longest run without blanks. */
  readonly longest: number;
  /** The longest run of the characters of base64. */
  readonly token: number;
  /** The lengths of words of which four or more stand in a row, digits among them; a bit for each up to 10. */
  readonly rows: number;
}

const IN_ROW = 4;
const WIDEST = 10;

const BLANK = 1;
const TOKEN = 2;
const DIGIT = 4;
const SORTS = new Uint8Array(128);
for (const code of [9, 10, 11, 12, 13, 32]) SORTS[code] = BLANK;
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/_-")
  SORTS[character.charCodeAt(0)] = /\d/.test(character) ? TOKEN | DIGIT : TOKEN;

export function survey(text: string): Survey {
  let [longest, token, rows] = [0, 0, 0];
  let [run, tokenRun, before, row] = [0, 0, 0, 1];
  let hasDigit = false;
  let rowHasDigit = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32;
    const sort = code < 128 ? (SORTS[code] as number) : 0;
    if (sort & TOKEN) {
      run++;
      tokenRun++;
      if (sort & DIGIT) hasDigit = true;
      continue;
    }
    if (tokenRun > token) token = tokenRun;
    tokenRun = 0;
    if (sort !== BLANK) {
      run++;
      continue;
    }
    if (run === 0) continue;
    if (run > longest) longest = run;
    if (run === before) {
      row++;
      rowHasDigit ||= hasDigit;
      if (row >= IN_ROW && run <= WIDEST && (rowHasDigit || run === 1)) rows |= 1 << run;
    } else {
      row = 1;
      rowHasDigit = hasDigit;
      before = run;
    }
    run = 0;
    hasDigit = false;
  }
  return { longest, token, rows };
}
