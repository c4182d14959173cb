import type { MemoryId, Scope } from "../core/base/index.js";
import type { Lane, MemoryRecord, Trust } from "../core/ledger/index.js";
import type { Rules } from "./config.js";
import type { Kind } from "./detect/finding.js";
import type { Neighbourhood } from "./neighbourhood.js";
import type { Principal } from "./trust.js";
import type { Refusal } from "./verdict.js";

export { refuse } from "./verdict.js";

/** Who writes, as far as checks may ask. */
export interface Writer {
  readonly id: string;
  /** How far the door is trusted. */
  readonly trust: Trust;
  sees(scope: Scope): boolean;
}

/** Everything a check may look at beside the record. */
export interface Situation {
  readonly writer: Writer;
  readonly rules: Rules;
  readonly near: Neighbourhood;
  /** Who else stands behind this write; "later" if that is for whoever accepts it. */
  readonly vouchers?: readonly Principal[] | "later" | undefined;
  /** The version that this write replaces. It is left out of comparisons. */
  readonly target?: MemoryRecord | undefined;
}

/** A check that lets a write pass may still change it or say something about it. */
export interface Note {
  /** The record without what was cut out of it. */
  readonly record?: MemoryRecord;
  /** Kinds of secrets or personal data that it holds or held. */
  readonly found?: readonly Kind[];
  /** It holds personal data and is to be kept as private. */
  readonly isPrivate?: true;
  /** The memory of which this is the new version. */
  readonly renews?: MemoryId;
  /** The memory that it may be at odds with, and which stays where it is. */
  readonly beside?: Beside;
}

/** What a write that stands beside an older memory says of it. */
export interface Beside {
  readonly against: MemoryId;
  readonly check: string;
  readonly reason: string;
  readonly hint: string;
}

export interface Check {
  readonly name: string;
  readonly lanes: readonly Lane[];
  /** It compares the write with other beliefs, which somebody has to look up first. */
  readonly compares?: true;
  run(record: MemoryRecord, situation: Situation): Refusal | Note | undefined;
}
