import { expect, it } from "vitest";
import { safeJson, visible } from "./safe.js";

/** Spelled out again, by the words of the rule, so that a slip in the one is seen by the other. */
const FORBIDDEN =
  /\p{C}|[\u2028\u2029]|[\u{fe00}-\u{fe0f}]|[\u{e0100}-\u{e01ef}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|[\u180b-\u180f]|\u3164|\uffa0/u;

/** All of Unicode in parts: characters one by one, apart so that two surrogates do not become one. */
function* everyCodePoint(): Generator<string[]> {
  for (let from = 0; from <= 0x10ffff; from += 0x1000)
    yield Array.from({ length: 0x1000 }, (_, index) => String.fromCodePoint(from + index));
}

it("C16 no code point of Unicode reaches a terminal if it is a control, a format character or otherwise hidden", () => {
  const name = (char: string) =>
    `⟨U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  for (const chars of everyCodePoint()) {
    const expected = chars.map((char) =>
      FORBIDDEN.test(char) && char !== "\n" && char !== "\t" ? name(char) : char,
    );
    expect(visible(chars.join(" ")) === expected.join(" "), `from ${name(chars[0] as string)}`).toBe(true);
  }
});

it("C17 no code point is printed raw in JSON if it is hidden, and every one parses back exactly", () => {
  for (const chars of everyCodePoint()) {
    const text = chars.join(" ");
    const json = safeJson([text]);
    expect(FORBIDDEN.exec(json)?.[0].codePointAt(0)).toBeUndefined();
    expect((JSON.parse(json) as string[])[0] === text).toBe(true);
  }
});

it("C16 hidden characters are named, line feed and tab stay", () => {
  expect(visible("a\u001b[2J\u009b1m\r\n\tb")).toBe("a⟨U+001B⟩[2J⟨U+009B⟩1m⟨U+000D⟩\n\tb");
  expect(visible("\u202eevil\u{e0041}\ufe0f\ud800")).toBe("⟨U+202E⟩evil⟨U+E0041⟩⟨U+FE0F⟩⟨U+D800⟩");
  expect(visible("naïve 漢字 🎉 ➜")).toBe("naïve 漢字 🎉 ➜");
});

it("C17 indented JSON keeps its line feeds and nothing else", () => {
  const json = safeJson({ "\u202e": "x\n\u{e0041}" }, 2);
  expect(json).toBe('{\n  "\\u202e": "x\\n\\udb40\\udc41"\n}');
});
