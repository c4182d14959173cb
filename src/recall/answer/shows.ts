import { detectLanguage } from "../../language/index.js";
import type { AskedFor } from "./asked-for.js";
import * as told from "./told-words.js";
import { holdsWord, spaced, words } from "./words.js";

const CLOCK =
  /\d[:.]\d\d|\d ?(?:am|pm|uhr|h)(?![a-z])|(?:at|um|à|las|by|from|between) \d|(?:19|20)\d\d|\d(?:st|nd|rd|th)(?![a-z])|\d[./]\d|[年月日号点天周星期时早晚夜每]/;
const DAY_WORD = / [^ ]+(?:day|days|tag|tags) /;

/** Said of when, not of how much. */
const DATES =
  /\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|uhr|h)(?![a-z])|\d{1,2}:\d\d|\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?(?:jan|feb|fév|mar|mär|apr|avr|abr|ma[iy]|jun|jui|jul|aug|aoû|ago|sep|oct|okt|nov|dec|dez|déc|dic|de )[^ ]*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?!\d)|(?:at|um|à|las) \d{1,2}(?!\d)/g;
const YEARS = /(?<![\d.,])(?:19|20)\d\d(?![\d.,]*\d)/g;
/** "Postgres 16", "Node 20": no age. */
const VERSIONS = /[A-Z][A-Za-z]{1,60} v?\d{1,3}(?:\.\d{1,9}){0,9}(?!\d)/g;
const DIGIT = /(?:^| )[$€£v#]?\d|[零一二三四五六七八九十百千万两半]/;
/** Several named one by one can be counted. */
const LISTED = /\p{Lu}\p{L}{1,60},? (?:and|und|et|y) \p{Lu}\p{L}+/u;
const PURPOSE =
  / to (?:keep|save|make|get|have|be|reduce|stop|help|allow|support|improve|protect) | um .{1,60}? zu |因为|由于|所以|为了/;
const WHEN_PLACE =
  / (?:in|on|at|from|by|to|im|am|um|ab|en|le|au|el) (?:the )?(?:(?:first|second|third|end|beginning|early|late|next|last|every|\d[\d:.]*(?:st|nd|rd|th)?) )?(?:of )?(?:each |the )?(?:[^ ]+days?|[^ ]+tags?|mittwochs?|spring|summer|autumn|winter|weekends?|morning|evening|afternoon|night|noon|am|pm|uhr|(?:19|20)\d\d)(?= )/g;
const ADDRESS = /[\w.-]\/[\w./-]|https?:|[在于到去住里上]/;
const GERMAN_PLACE = / (?:am|an|vor) (?:der|dem|die|den|das|[^ ]+(?:hof|platz|see|markt|berg|tor|park)) /;
/** What is named after itself: paths, identifiers, quotations. */
const IDENTIFIER = /[A-Za-z\d][_/.-][A-Za-z\d]|["“„«‘][^\s]|[叫名姓]/;
const NAME = /\p{Lu}[\p{L}\p{N}'’-]*/gu;
const NO_NAME = words("i|am|pm|utc|ok|mon|tue|wed|thu|fri|sat|sun|mittwoch|mittwochs");

const wordsOf = (text: string): string[] =>
  spaced(text)
    .split(/[ /_.:,-]+/)
    .filter((word) => word !== "")
    .map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));

/** The names a text holds beyond those that the question names, each with the word before it. */
function newNames(text: string, question: string): string[] {
  const known = new Set(wordsOf(question));
  const language = detectLanguage(text);
  const befores: string[] = [];
  for (const { 0: name, index } of text.matchAll(NAME)) {
    const before = /(\S+)\s+$/.exec(text.slice(Math.max(0, index - 40), index))?.[1] ?? "";
    const bare = name.replace(/['’].*$/, "").toLowerCase();
    if (NO_NAME.has(bare) || told.MONTHS.has(bare) || /(?:day|days|tag|tags)$/.test(bare)) continue;
    if (wordsOf(bare).every((word) => known.has(word))) continue;
    if (language?.code === "de" && [before.toLowerCase(), bare].some((word) => told.DETERMINERS.has(word)))
      continue;
    const isFirst = before === "" || /[.!?:]$/.test(before);
    const next = /^\S+\s+(\S+)/.exec(text.slice(index, index + 80))?.[1] ?? "";
    if (isFirst && (language?.words.has(bare) || /^[#\d]/.test(next) || told.OF_SEVERAL.has(next))) continue;
    befores.push(before.toLowerCase());
  }
  return befores;
}

/** A text without the words of the question. */
function without(text: string, question: string): string {
  const known = new Set(wordsOf(question));
  const left = text.split(/\s+/).filter((word) => !wordsOf(word).every((one) => known.has(one)));
  return spaced(left.join(" "));
}

function isTime(text: string): boolean {
  const low = spaced(text);
  return holdsWord(low, told.MONTHS) || holdsWord(low, told.TIMES) || DAY_WORD.test(low) || CLOCK.test(low);
}

const isNumber = (text: string): boolean => {
  const low = spaced(text).replace(DATES, " ");
  return DIGIT.test(low) || holdsWord(low, told.NUMBERS);
};

const withoutMonths = (low: string): string =>
  low.replace(
    / (?:in|on|by|im|am|en) (?:\d{1,2}(?:st|nd|rd|th)? )?(?:of )?([^ ]+)(?= )/g,
    (all, word: string) => (told.MONTHS.has(word) ? "" : all),
  );

function isPlace(text: string): boolean {
  const low = withoutMonths(spaced(text).replace(WHEN_PLACE, ""));
  return holdsWord(low, told.PLACES) || GERMAN_PLACE.test(low) || ADDRESS.test(low);
}

/** Does a text show what was asked for, beside what the question says itself? */
export const shows: Readonly<Record<AskedFor, (text: string, question: string) => boolean>> = {
  person: (text, question) =>
    newNames(text, question).some((before) => !told.PLACING.has(before)) ||
    holdsWord(without(text, question), told.SOMEBODY),
  name: (text, question) => newNames(text, question).length > 0 || IDENTIFIER.test(text),
  time: isTime,
  span: isTime,
  amount: (text) => isNumber(spaced(text).replace(DATES, " ").replace(YEARS, " ")) || LISTED.test(text),
  age: (text) => isNumber(text.replace(VERSIONS, " ")),
  place: isPlace,
  reason: (text) => holdsWord(spaced(text), told.REASONS) || PURPOSE.test(spaced(text)),
  colour: (text) => holdsWord(spaced(text), told.COLOURS) || /[红蓝绿黄黑白灰紫粉棕橙]/.test(text),
  liking: (text) => holdsWord(spaced(text), told.LIKINGS) || /lieblings|喜欢|爱/i.test(text),
  opinion: (text) => holdsWord(spaced(text), told.OPINIONS) || /[“”„"«»]/.test(text),
};
