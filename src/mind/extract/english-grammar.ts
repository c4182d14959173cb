import { DAYS, MONTHS } from "./english-words.js";
import { thingIn } from "./phrase.js";
import type { Found, Rule } from "./rule.js";

export const NAME = String.raw`(?:St\. |Dr\. )?\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]+){0,2}`;
export const AM = `(?:[Ii]['’]?m|[Ii] am)`;
export const HAVE = `(?:[Ii]['’]ve|[Ii] have)`;
/** Words between subject and verb that change nothing. */
export const SURELY = `(?:(?:really|absolutely|also|totally|just|still|always|usually|mostly|definitely|actually|personally|generally|truly|honestly|kinda|especially|particularly|currently|now|both|simply|mainly|only|recently|finally|very|so|quite|normally|typically|much) )*`;
export const DATE = String.raw`(?:(?:on |by )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTHS})|(?:${MONTHS})\.? \d{1,2}(?:st|nd|rd|th)?|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:${DAYS}))(?:,? \d{4})?)`;
export const VALUE = String.raw`(?:${DATE}|(?:at |around |about )?[$€£]?\d[\d.,:]*(?:\s?(?:%|am|pm|k|m|euros?|dollars?|hours?|days?|weeks?|people|[A-Za-z]{1,3}))?|(?:at |in |on |called |named )?\p{Lu}[\p{L}\p{N}.'’-]*(?: \p{Lu}[\p{L}\p{N}.'’-]*)*)`;

export const of = (
  subject: string,
  predicate: string,
  rest: string | undefined,
  confidence: number,
  more: Partial<Found> = {},
): Found | undefined => {
  const object = rest === undefined ? undefined : thingIn(rest);
  return object === undefined ? undefined : { subject, predicate, object, confidence, ...more };
};
export const me = (
  predicate: string,
  rest: string | undefined,
  confidence = 0.9,
  more: Partial<Found> = {},
) => of("me", predicate, rest, confidence, more);
export const PRIVATE = { sensitivity: "private" } as const;
export const startsNamed = (rest: string | undefined) => /^(?:the )?\p{Lu}/u.test(rest ?? "");
export const rule = (pattern: string, make: Rule["make"], flags = "u"): Rule => ({
  pattern: new RegExp(`^${pattern}`, flags),
  make,
});

/** A liking for "the …" is mostly for what was just shown; one for what has a name is not. */
export const liked = (predicate: string, rest: string | undefined, confidence: number) =>
  /^(?:the (?!\p{Lu})|your|his|her|their|its)/u.test(rest ?? "")
    ? undefined
    : me(predicate, rest, confidence);
