import type { BranchName, ErrorCode, Hash, MemoryId, Scope } from "../base/index.js";
import type { Kind } from "./detect/finding.js";

export type VerdictKind = "accepted" | "updated" | "duplicate" | "rejected" | "quarantined";

/** Stable codes of refusals, beside those of the error table for input that is not even well formed. */
export type RefusalCode =
  | ErrorCode
  | "SWITCHED_OFF"
  | "JOURNAL"
  | "TOO_LONG"
  | "SCOPE_NOT_VISIBLE"
  | "SCOPE_NOT_WRITABLE"
  | "SOURCE_UNKNOWN"
  | "PARENT_MISSING"
  | "PARENT_CYCLE"
  | "TOPIC_FIXED"
  | "TOPIC_TAKEN"
  | "TIER_NOT_ALLOWED"
  | "LANE_FIXED"
  | "HIDDEN_HOLDER"
  | "UNKNOWN_VERSION"
  | "SECRET"
  | "RECALL_LOOP"
  | "WEAKER_WRITER"
  | "UNVOUCHED"
  | "DUPLICATE"
  | "CONTRADICTION"
  | "FULL"
  | "TOO_MANY";

/** The answer to every write. It always explains itself: which check, why, and what to do next. */
export interface Verdict {
  readonly verdict: VerdictKind;
  readonly id?: MemoryId;
  readonly scope?: Scope;
  readonly version?: number;
  readonly hash?: Hash;
  /** Absent when nothing was committed. */
  readonly commit?: Hash;
  readonly branch: BranchName;
  readonly code?: RefusalCode;
  readonly check?: string;
  readonly reason?: string;
  readonly hint?: string;
  /** The memory it duplicates. */
  readonly of?: MemoryId;
  readonly similarity?: number;
  /** The version that stood here before. */
  readonly replaced?: Hash;
  /** Fields left contested by this write. */
  readonly contested?: readonly string[];
  /** Kinds of secrets and personal data it holds, or held before they were cut out. Never the values. */
  readonly found?: readonly Kind[];
  /** The memory it contradicts. */
  readonly against?: MemoryId;
  /** Memories to merge or forget, so that there is room. */
  readonly candidates?: readonly MemoryId[];
  /** Where a quarantined write waits: see `review`. */
  readonly staged?: string;
}

/** A check's refusal, before it becomes a verdict. */
export interface Refusal {
  readonly verdict: "rejected" | "quarantined" | "duplicate";
  readonly code: RefusalCode;
  readonly check: string;
  readonly reason: string;
  readonly hint: string;
  readonly of?: MemoryId;
  readonly similarity?: number;
  readonly found?: readonly Kind[];
  readonly against?: MemoryId;
  readonly candidates?: readonly MemoryId[];
}

export const refuse = (code: RefusalCode, check: string, reason: string, hint: string): Refusal => ({
  verdict: "rejected",
  code,
  check,
  reason,
  hint,
});

/** Held back for a person to decide: it waits in staging and is seen by no search. */
export const quarantine = (code: RefusalCode, check: string, reason: string, hint: string): Refusal => ({
  ...refuse(code, check, reason, hint),
  verdict: "quarantined",
});
