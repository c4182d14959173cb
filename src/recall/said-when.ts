import { type AskedDate, datesIn } from "../index/index.js";

/** A stretch of time that a question names for what it asks about: from `from` on, before `to`, in milliseconds. */
export interface AskedTime {
  readonly from: number;
  readonly to: number;
  /** Is it counted from today, and over? Such words tell when something was said or done, and hardly stand in it. */
  readonly isOver: boolean;
  /** The question without the words that name it, where they could be told from the others. */
  readonly rest: string;
}

const DAY = 86_400_000;

/** Days of the week from Sunday on, as JavaScript counts them. */
const WEEKDAYS: readonly string[] = [
  "sunday|sonntag|dimanche|domingo",
  "monday|montag|lundi|lunes",
  "tuesday|dienstag|mardi|martes",
  "wednesday|mittwoch|mercredi|miércoles",
  "thursday|donnerstag|jeudi|jueves",
  "friday|freitag|vendredi|viernes",
  "saturday|samstag|samedi|sábado",
];

const word = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, "iu");

type Stretch = readonly [from: number, to: number];

const midnight = (now: number): number => Math.floor(now / DAY) * DAY;
const monday = (now: number): number => midnight(now) - ((new Date(now).getUTCDay() + 6) % 7) * DAY;
const month = (now: number, ago: number): number => {
  const day = new Date(now);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - ago, 1);
};
const year = (now: number, ago: number): number => Date.UTC(new Date(now).getUTCFullYear() - ago, 0, 1);

/** What is counted from today ("hier" is not: in German it means here); a day of the week is the last one that went by. */
const COUNTED: readonly (readonly [RegExp, (now: number) => Stretch])[] = [
  [
    word("the day before yesterday|vorgestern|avant-hier|anteayer"),
    (now) => [midnight(now) - 2 * DAY, midnight(now) - DAY],
  ],
  [word("yesterday|gestern|ayer"), (now) => [midnight(now) - DAY, midnight(now)]],
  [word("earlier today|heute früh|ce matin|esta mañana"), (now) => [midnight(now), now + 1]],
  [
    word("last week|letzte woche|letzter woche|la semaine dernière|la semana pasada"),
    (now) => [monday(now) - 7 * DAY, monday(now)],
  ],
  [word("last month|letzten monat|le mois dernier|el mes pasado"), (now) => [month(now, 1), month(now, 0)]],
  [
    word("last year|letztes jahr|letzten jahr|l['’]année dernière|el año pasado"),
    (now) => [year(now, 1), year(now, 0)],
  ],
  ...WEEKDAYS.map((names, day): readonly [RegExp, (now: number) => Stretch] => [
    word(`(?:on|last|am|letzten) (?:${names})|(?:${names}) dernier|el (?:${names})(?: pasado)?`),
    (now) => {
      const ago = ((new Date(now).getUTCDay() - day + 6) % 7) + 1;
      return [midnight(now) - ago * DAY, midnight(now) - (ago - 1) * DAY];
    },
  ]),
];

const BEFORE = word("before|until|vor|bis|avant|jusqu['’]à|antes de|hasta");
const AFTER = word("after|since|nach|seit|après|depuis|después de|desde");

/** When what is asked about was said or true, where the question says so. */
export function timeAsked(question: string, now: number): AskedTime | undefined {
  for (const [words, stretch] of COUNTED) {
    const found = words.exec(question);
    if (!found) continue;
    const [from, to] = stretch(now);
    const rest = question.slice(0, found.index) + question.slice(found.index + found[0].length);
    return { from, to, isOver: true, rest: rest.replace(/\s+(?=[\s?!.,]|$)/g, "") };
  }
  const [date] = datesIn(question);
  if (date === undefined) return undefined;
  const [from, to] = stretchOf(date, now);
  if (BEFORE.test(question))
    return { from: Number.NEGATIVE_INFINITY, to: from, isOver: false, rest: question };
  if (AFTER.test(question)) return { from: to, to: Number.POSITIVE_INFINITY, isOver: false, rest: question };
  return { from, to, isOver: false, rest: question };
}

/** A date without a year is the last one that began. */
function stretchOf({ year: asked, month: of, day }: AskedDate, now: number): Stretch {
  const thisYear = new Date(now).getUTCFullYear();
  if (of === undefined) return [Date.UTC(asked ?? thisYear, 0, 1), Date.UTC((asked ?? thisYear) + 1, 0, 1)];
  const is = asked ?? (Date.UTC(thisYear, of - 1, day ?? 1) <= now ? thisYear : thisYear - 1);
  const from = Date.UTC(is, of - 1, day ?? 1);
  return [from, day === undefined ? Date.UTC(is, of, 1) : from + DAY];
}
