/**
 * What a terminal, an editor or a model may act on without showing it: controls, format characters (bidi, zero
 * width, tags), private use, halves of characters, what Unicode has not assigned, variation selectors, other
 * ignorable characters and the separators that break lines. By category, because lists always miss some.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/gu;

/** Most texts hold nothing else, and that is far quicker to see than what category each character has. */
const PLAIN = /^[\n -~]*$/;

/** Text for eyes: line feed and tab stay, everything else that is hidden is named. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN, (char) => (char === "\n" || char === "\t" ? char : `⟨U+${hex(char)}⟩`));
}

const hex = (char: string): string =>
  (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");

/** JSON that prints nothing hidden and parses back to exactly the same value. */
export const safeJson = (value: unknown, indent?: number): string =>
  escapeHidden(JSON.stringify(value, undefined, indent));

/** The same for JSON that was written elsewhere. */
export function escapeHidden(json: string): string {
  if (PLAIN.test(json)) return json;
  // JSON.stringify has escaped what is below U+0020, so a line feed that is left comes from indenting.
  return json.replace(HIDDEN, (char) =>
    char === "\n" ? char : char.length === 1 ? escaped(char, 0) : escaped(char, 0) + escaped(char, 1),
  );
}

const escaped = (char: string, at: number): string =>
  `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`;
