import { latePattern } from "./late-pattern.js";

const SIGHT = latePattern("u")`[^\p{White_Space}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]`;

/** Nothing to see: no character, or blanks, zero-width and other characters that are drawn as nothing. */
export const isBlank = (text: string): boolean => !/[!-~]/.test(text) && !SIGHT().test(text);
