import { PalimpsestError, quote } from "./errors.js";

declare const timeBrand: unique symbol;
/** `YYYY-MM-DDTHH:mm:ss.sssZ`: UTC, sorts as text. */
export type Timestamp = string & { readonly [timeBrand]: true };

/** Outside these years ISO 8601 needs a sign and six digits, which would no longer sort as text. */
const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** What was written last: rows of one commit, and a memory that was just made, repeat the same time. */
let last = { milliseconds: Number.NaN, text: "" as Timestamp };
/** The second it was in, without its fraction: most times that are written are of the same second. */
let second = { number: Number.NaN, text: "" };

export function timestamp(milliseconds: number): Timestamp {
  if (milliseconds === last.milliseconds) return last.text;
  if (!(milliseconds >= FIRST && milliseconds <= LAST))
    throw new PalimpsestError("INVALID_TIME", `Not a time of the years 0000 to 9999: ${milliseconds} ms.`);
  const whole = Math.trunc(milliseconds);
  const number = Math.floor(whole / 1000);
  if (number !== second.number)
    second = { number, text: new Date(number * 1000).toISOString().slice(0, "2000-01-01T00:00:00".length) };
  const text = `${second.text}.${String(whole - number * 1000 + 1000).slice(1)}Z` as Timestamp;
  last = { milliseconds, text };
  return text;
}

/** The other way round. */
export const millisecondsOf = (time: Timestamp): number =>
  time === last.text ? Math.trunc(last.milliseconds) : Date.parse(time);

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/;

/** Reads an RFC 3339 time or a bare date; without a zone it is UTC, so that the answer is the same everywhere. */
export function parseTime(text: unknown): Timestamp {
  const parts = typeof text === "string" ? ISO.exec(text) : null;
  if (parts) {
    const [, date, minute = "00:00", second = "00", fraction = "", sign, zoneHours, zoneMinutes] = parts;
    const written = `${date}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
    const at = Date.parse(written);
    // What the calendar does not have (30 February, 24:00) reads back as something else.
    if (!Number.isNaN(at) && new Date(at).toISOString() === written) {
      const ahead = sign === undefined ? 0 : (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
      return timestamp(sign === "-" ? at + ahead : at - ahead);
    }
  }
  throw new PalimpsestError("INVALID_TIME", `Not a time: ${quote(text)}.`);
}
