import type { Kind } from "./finding.js";

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
