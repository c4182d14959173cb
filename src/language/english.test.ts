import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, it } from "vitest";
import { stemEnglish } from "./english.js";

const library = (
  createRequire(import.meta.url)("snowball-stemmers") as {
    newStemmer(algorithm: string): { stem(word: string): string };
  }
).newStemmer("english");

const PARTS =
  "a e i o u y b c d f g l m n r s t w x z th st ing ed ly eed ational tional ization ness ful ment ion ies sses ' 's gener commun ative bli ogi li ize able é 7".split(
    " ",
  );

it("T17 English is stemmed as Snowball does, word for word", () => {
  const words = fc
    .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 7 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(words, (word) => {
      if (word.length > 2) expect(stemEnglish(word)).toBe(library.stem(word));
    }),
    { numRuns: 20_000 },
  );
  for (const word of "skies dying idly news atlas inning succeeded generously communities arsenal hopping hoping".split(
    " ",
  ))
    expect(stemEnglish(word)).toBe(library.stem(word));
});
