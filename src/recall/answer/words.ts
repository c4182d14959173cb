/** The words of a text in small letters, a blank before, between and behind them: a phrase is looked for with its blanks. */
export const spaced = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/['’]s(?![a-z])/g, " 's")
    .replace(/[^\p{L}\p{N}'’/_#$€£.:,-]+/gu, " ")
    .replace(/(?<![.:,])[.:,]+(?= |$)/g, "")
    .trim()} `;

export const phrases = (list: string): readonly string[] => list.split("|").map((phrase) => ` ${phrase} `);
export const words = (list: string): ReadonlySet<string> => new Set(list.split("|"));

export const holdsPhrase = (spacedText: string, list: readonly string[]): boolean =>
  list.some((phrase) => spacedText.includes(phrase));
export const holdsWord = (spacedText: string, set: ReadonlySet<string>): boolean =>
  spacedText.split(" ").some((word) => set.has(word));
