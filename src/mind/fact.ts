import type { Lifetime, Sensitivity, Triple } from "../core/ledger/index.js";

/** What a conversation says should happen to memory; nothing is done by saying it. */
export interface Fact {
  readonly op: "add" | "modify" | "forget" | "observe";
  readonly triple: Triple;
  /** One sentence that stands alone. */
  readonly text: string;
  readonly lifetime: Lifetime;
  readonly confidence: number;
  readonly sensitivity: Sensitivity;
  /** The exact words it rests on, and the message they stand in. */
  readonly evidence: string;
  readonly turn: number;
  readonly category?: string;
}
