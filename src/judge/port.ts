/** What a new belief is to an old one. The three are probabilities that add up to 1. */
export interface Relation {
  /** It says the same, in whatever words. */
  readonly same: number;
  /** It takes the old one's place, or cannot stand beside it. */
  readonly renews: number;
  /** Both hold: another subject, another thing of the same subject, another time. */
  readonly beside: number;
}

export const KINDS = ["decision", "rule", "preference", "fact", "event", "plan", "person"] as const;
export type Kind = (typeof KINDS)[number];

/** A sentence where it was said. A note has no talk around it: then the text is all. */
export interface Said {
  readonly text: string;
  /** Who says it: "user", "assistant" or a name. */
  readonly who?: string;
  /** What the same message says before it. */
  readonly before?: string;
  /** The message before. */
  readonly after?: { readonly who: string; readonly text: string };
}

export interface Worth {
  /** How likely it is worth keeping. */
  readonly keep: number;
  /** What it would be kept as. */
  readonly kind: Kind;
}

/** What may be said of an answer: quoted as the answer, quoted as what is nearest, or not at all. */
export type Certainty = "certain" | "possible" | "nothing";

/** What is known of the memory that would be quoted as the answer. */
export interface Signs {
  /** How likely it answers, by the judge. */
  readonly answers: number;
  /** The same of the best of the others that neither say the same nor are renewed by it; 0 without others. */
  readonly next: number;
  /** The cosine of its vector with the question's; absent without vectors. */
  readonly cosine?: number | undefined;
  /** The share of the question's words, those that every text has apart, that stand in it. */
  readonly words: number;
  /** The share of them that stand in none of the memories which were looked at. */
  readonly unseen: number;
}

/** Lines that were drawn on data of authors that no training saw; they come with the weights. */
export interface Lines {
  /** Relations and worth are believed from here on. */
  readonly same: number;
  readonly renews: number;
  /** Of two that answer the same question a later one is taken to renew the other from here on: there it is likelier. */
  readonly rival: number;
  readonly keep: number;
  readonly asks: number;
}

/**
 * Tells what answers what. All numbers are probabilities from 0 to 1, the same for the same texts whatever else is asked with
 * them. An aborted call rejects with the signal's reason; any other failure is a PalimpsestError (JUDGE_UNAVAILABLE, or CLOSED
 * after close).
 */
export interface Judge {
  /** Model and version. */
  readonly id: string;
  readonly lines: Lines;
  /** How likely each memory answers the question, be it by what was true once. */
  answers(question: string, memories: readonly string[], signal?: AbortSignal): Promise<number[]>;
  /** What the new belief is to each of the old ones. */
  relations(belief: string, olds: readonly string[], signal?: AbortSignal): Promise<Relation[]>;
  /** What is worth keeping of what was said. */
  worths(said: readonly Said[], signal?: AbortSignal): Promise<Worth[]>;
  /** How likely the prompt asks for what memory holds. */
  asks(prompt: string, signal?: AbortSignal): Promise<number>;
  /** What may be said of an answer, by all signs together. */
  certainty(signs: Signs): Certainty;
  /** Lets go of its threads; what is under way is refused with CLOSED. Closing twice is fine. */
  close(): Promise<void>;
}
