import type { Sensitivity } from "../../core/ledger/index.js";

/** What a rule found in a clause, before it is known who speaks. "me" stands for the speaker. */
export interface Found {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly confidence: number;
  /** Said to hold no longer. */
  readonly ends?: true;
  readonly sensitivity?: Sensitivity;
  /** How the sentence names the subject, with {me} for the speaker, where the subject alone would not do. */
  readonly who?: string;
  /** The sentence, with {me} for the speaker, where predicate and object alone would not make one. */
  readonly text?: string;
}

export interface Rule {
  readonly pattern: RegExp;
  /** Only where the speaker talks to an assistant: there "always answer in German" is a wish, elsewhere advice. */
  readonly toAssistant?: true;
  make(groups: Readonly<Record<string, string | undefined>>): Found | readonly Found[] | undefined;
}
