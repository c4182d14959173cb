import { latePattern } from "../core/base/index.js";

/**
 * What a terminal, an editor or a model may act on without showing it, by category, because lists always miss some; and
 * what could end a frame.
 */
const HIDDEN = latePattern(
  "gu",
)`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}<>&]`;
/** What ends a part of a line that is not in quotes. */
const ENDS = /[()[\];,"\\]/g;

const escaped = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");

/** A text as a quotation: one line that cannot end its quotes or its frame, and reads back to exactly the same text. */
export const quote = (text: string): string => JSON.stringify(text).replace(HIDDEN(), escaped);

/** A name or a tag without quotes, of which the same holds. */
export const bare = (text: string): string => text.replace(ENDS, escaped).replace(HIDDEN(), escaped);

export const unquote = (text: string): string => JSON.parse(text) as string;
export const unbare = (text: string): string => unquote(`"${text}"`);
