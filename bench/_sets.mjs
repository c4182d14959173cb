// Reads question sets: { convs: [{ conv_id, docs: [{ id, session, speaker, date, text, caption? }], queries }] }.
import { readFileSync } from "node:fs";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ISO = /(\d{4})-(\d{1,2})-(\d{1,2})/;
const CHINESE = /(\d{4})年(\d{1,2})月(\d{1,2})日/;
const DAY_FIRST = /(\d{1,2}) ([A-Za-z]{3})[a-z]*,? (\d{4})/;
const MONTH_FIRST = /([A-Za-z]{3})[a-z]*[- ](\d{1,2}),?[- ](\d{4})/;
const CLOCK = /(\d{1,2}):(\d{2})\s*(am|pm)?/i;

/** The free text of a date as milliseconds since 1970, undefined if it cannot be read. */
export function timeOf(text) {
  if (!text) return undefined;
  const month = (name) => MONTHS.indexOf(name.toLowerCase()) + 1;
  const plain = ISO.exec(text) ?? CHINESE.exec(text);
  const day = DAY_FIRST.exec(text);
  const named = MONTH_FIRST.exec(text);
  let date;
  if (plain) date = [plain[1], plain[2], plain[3]];
  else if (day && month(day[2]) > 0) date = [day[3], month(day[2]), day[1]];
  else if (named && month(named[1]) > 0) date = [named[3], month(named[1]), named[2]];
  if (!date) return undefined;
  const clock = CLOCK.exec(text);
  const late = clock?.[3]?.toLowerCase() === "pm" ? 12 : 0;
  const hours = clock ? (clock[3] ? (Number(clock[1]) % 12) + late : Number(clock[1])) : 0;
  return Date.UTC(Number(date[0]), Number(date[1]) - 1, Number(date[2]), hours, clock ? Number(clock[2]) : 0);
}

export const textOf = ({ text, caption }) => (caption ? `${text} [${caption}]` : text);
export const roleOf = (speaker) => (speaker === "user" || speaker === "assistant" ? speaker : undefined);

export const readSet = (file) => JSON.parse(readFileSync(file, "utf8"));

/** What a store is told of a document, nothing of the questions about it. */
export const messageOf = (doc) => ({
  text: textOf(doc),
  session: doc.session,
  speaker: doc.speaker || undefined,
  role: roleOf(doc.speaker),
  time: timeOf(doc.date),
});
