/**
 * One shape of a secret. `anchors` are literal texts of which one must occur before the pattern is tried: looking
 * for a literal is many times faster than any pattern. Group 1, where there is one, is the value.
 */
export interface Rule {
  readonly name: string;
  readonly kind: Kind;
  readonly anchors: readonly string[];
  readonly pattern: RegExp;
  readonly accepts?: (value: string, match: RegExpExecArray) => boolean;
  /** What it finds is a word of at least so many characters: shorter texts are not searched. */
  readonly longest?: number;
  /** Where it ends, if not with the value. */
  readonly endOf?: (text: string, start: number) => number;
}

/** What kinds of things a text may hold that perhaps should not be remembered. */
export const KINDS = ["secret", "password", "ssn", "card", "iban", "email", "phone", "ip"] as const;
export type Kind = (typeof KINDS)[number];

/** Where in a text something of a kind stands. It names the rule, never the value. */
export interface Finding {
  readonly kind: Kind;
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** All matches of a global pattern. Most texts have none, and asking first is several times cheaper than looking one by one. */
export const matchesOf = (text: string, pattern: RegExp): Iterable<RegExpExecArray> =>
  text.search(pattern) < 0 ? [] : text.matchAll(pattern);
