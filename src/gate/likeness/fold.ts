/** Case, width, blanks and final punctuation do not make another text. */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}/gu, "")
    .replace(/[‘’‚′`]/g, "'")
    .replace(/\s+/gu, " ")
    .replace(/(?<![\s.!?。！？…,;:])[\s.!?。！？…,;:]+$/u, "")
    .trim();
