import { allMonths } from "./words.js";

/** A date as a question names it, as exactly as it does. */
export interface AskedDate {
  readonly year?: number;
  /** 1 to 12. */
  readonly month?: number;
  readonly day?: number;
}

const MONTHS = new Map<string, number>();
for (const months of allMonths)
  months.forEach((name, i) => {
    MONTHS.set(name, i + 1);
    if (name.length > 4) MONTHS.set(name.slice(0, 3), i + 1);
  });
/** Made when a text may hold a date: with all names of months they take milliseconds to compile. */
let made: readonly RegExp[] | undefined;
const patterns = (): readonly RegExp[] => {
  const names = [...MONTHS.keys()].sort((a, b) => b.length - a.length).join("|");
  return [
    /(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})/gu,
    /(?:(?<year>\d{4})\s*年\s*)?(?<month>\d{1,2})\s*月\s*(?<day>\d{1,2})\s*[日号]/gu,
    /(?<year>\d{4})\s*年(?:\s*(?<month>\d{1,2})\s*月)?/gu,
    new RegExp(
      `(?<!\\p{L})(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?(?: of)?[ -](?<name>${names})\\.?(?!\\p{L})(?:,?[ -](?<year>\\d{4}))?`,
      "giu",
    ),
    new RegExp(
      `(?<!\\p{L})(?<name>${names})\\.?(?!\\p{L})[ -](?<day>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,?[ -](?<year>\\d{4}))?`,
      "giu",
    ),
    new RegExp(`(?<!\\p{L})(?<name>${names})(?!\\p{L})(?:,? (?<year>\\d{4}))?`, "giu"),
    /(?<!\d)(?<year>(?:19|20)\d\d)(?!\d)/gu,
  ];
};

/** Every date has a digit or the name of a month. Large letters first, since some of one small letter have another. */
function mayHoldDate(text: string): boolean {
  const small = text.toUpperCase().toLowerCase();
  return /\d/.test(text) || [...MONTHS.keys()].some((name) => small.includes(name));
}

/** The dates a question names. `may` or `march` in small letters, without a day or a year, is a verb more often than a month. */
export function datesIn(text: string): AskedDate[] {
  const dates: AskedDate[] = [];
  if (!mayHoldDate(text)) return dates;
  made ??= patterns();
  let rest = text;
  for (const pattern of made)
    rest = rest.replace(pattern, (match, ...groups) => {
      const found = groups.at(-1) as Record<string, string | undefined>;
      const month =
        found.month === undefined ? MONTHS.get(found.name?.toLowerCase() ?? "") : Number(found.month);
      const day = found.day === undefined ? undefined : Number(found.day);
      if (month !== undefined && month > 12) return match;
      if (/^(?:may|mar|mai|march)$/i.test(match) && match.toLowerCase() === match) return match;
      dates.push({
        ...(found.year === undefined ? {} : { year: Number(found.year) }),
        ...(month === undefined ? {} : { month }),
        ...(day === undefined ? {} : { day }),
      });
      return " ";
    });
  return dates;
}

const DAY = 86_400_000;

/** Days since 1970-01-01. */
export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / DAY);

/**
 * How well a day fits a date that is asked for, 0 to 1. People mostly write of what happens on the day or in the days after it; and a
 * date without a year, or the wrong year, still says something.
 */
export function dateFit(asked: AskedDate, day: number): number {
  const at = new Date(day * DAY);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1];
  if (asked.month === undefined) return asked.year === year ? 0.3 : 0;
  if (asked.day !== undefined) {
    const later = day - dayOf(Date.UTC(asked.year ?? year, asked.month - 1, asked.day));
    if (later === 0) return 1;
    if (later > 0) return later <= 7 ? 0.8 : later <= 31 ? 0.4 : 0;
    return later >= -7 ? 0.3 : 0;
  }
  const months = (year - (asked.year ?? year)) * 12 + month - asked.month;
  if (months === 0) return 0.8;
  return months === 1 ? 0.4 : month === asked.month ? 0.3 : 0;
}

/** How well a day fits the best of the dates asked for. */
export const bestFit = (dates: readonly AskedDate[], day: number | undefined): number =>
  day === undefined ? 0 : dates.reduce((most, asked) => Math.max(most, dateFit(asked, day)), 0);
