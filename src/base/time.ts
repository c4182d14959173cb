import { PalimpsestError } from "./errors.js";

declare const timeBrand: unique symbol;
/** `YYYY-MM-DDTHH:mm:ss.sssZ`: UTC, sorts as text. */
export type Timestamp = string & { readonly [timeBrand]: true };

export const timestamp = (milliseconds: number): Timestamp =>
  new Date(milliseconds).toISOString() as Timestamp;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** Reads an RFC 3339 time or a bare date; without a zone it is UTC, so that the answer is the same everywhere. */
export function parseTime(text: unknown): Timestamp {
  if (typeof text === "string") {
    const match = ISO.exec(text);
    if (match) {
      const zoned = /(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) || text.length === 10;
      const at = Date.parse(zoned ? text : `${text.replace(" ", "T")}Z`);
      const day = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
      if (!Number.isNaN(at) && day.getUTCDate() === Number(match[3])) return timestamp(at);
    }
  }
  throw new PalimpsestError("INVALID_TIME", `Not a time: ${JSON.stringify(text)}.`);
}
