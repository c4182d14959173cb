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
