import type { Said } from "./port.js";

/** So much of what was said before is read beside a sentence. */
const BEFORE = 120;
const MESSAGE_BEFORE = 160;

/** The second text that the judge reads beside a sentence: who says it, after what. `train/data.py` makes the same. */
export function contextOf({ who, before = "", after }: Said): string {
  if (who === undefined) return "";
  const said = `${who}: ${ending(before, BEFORE)}`.trim();
  return after ? `${said} | ${after.who}: ${ending(after.text, MESSAGE_BEFORE)}` : said;
}

/** The end of a text, by characters as Python counts them: none is cut in two. */
const ending = (text: string, length: number): string => Array.from(text.trim()).slice(-length).join("");
