import fc from "fast-check";
import { expect, it } from "vitest";
import { nameWords, passagesOf, withoutNames } from "./index.js";

it("T14 names of speakers are known from the memory; roles are no names", () => {
  expect([...nameWords(["Ada Lovelace", "user", "Assistant", ""])]).toEqual(["ada", "lovelace"]);
});

it("T14 names go out of a text in any case, and nothing else does", () => {
  const names = nameWords(["Ada", "Müller"]);
  expect(withoutNames("What is ada's dog called, Adam?", names)).toBe("What is dog called, Adam?");
  expect(withoutNames("Frau Müller mag den Hund", names)).toBe("Frau mag den Hund");
  expect(withoutNames("Ada", names)).toBe("Ada");
  expect(withoutNames("two\nlines", new Set())).toBe("two\nlines");
});

it("T15 passages are sentences, at most four, and hold all words in order", () => {
  expect(passagesOf("I went to the market yesterday. Ok! It was closed, so I came home.")).toEqual([
    "I went to the market yesterday.",
    "Ok! It was closed, so I came home.",
  ]);
  const words = (text: string) => text.match(/[a-z]+/g) ?? [];
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z ]{1,40}[.!?\n]$/), { minLength: 1, maxLength: 30 }),
      (parts) => {
        const text = parts.join(" ");
        const passages = passagesOf(text);
        expect(passages.length).toBeLessThanOrEqual(4);
        expect(passages.flatMap(words)).toEqual(words(text));
      },
    ),
  );
});
