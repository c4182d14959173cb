import type { BranchName, ErrorCode, Hash, MemoryId, Scope } from "../base/index.js";

export type VerdictKind = "accepted" | "updated" | "duplicate" | "rejected" | "quarantined";

/** Stable codes of refusals, beside those of the error table for input that is not even well formed. */
export type RefusalCode =
  | ErrorCode
  | "TOO_LONG"
  | "SCOPE_NOT_VISIBLE"
  | "PARENT_MISSING"
  | "PARENT_CYCLE"
  | "TOPIC_FIXED"
  | "TOPIC_TAKEN"
  | "TIER_NOT_ALLOWED"
  | "LANE_FIXED"
  | "HIDDEN_HOLDER"
  | "UNKNOWN_VERSION";

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
}

/** A check's refusal, before it becomes a verdict. */
export interface Refusal {
  readonly verdict: "rejected" | "quarantined";
  readonly code: RefusalCode;
  readonly check: string;
  readonly reason: string;
  readonly hint: string;
}

export const refuse = (code: RefusalCode, check: string, reason: string, hint: string): Refusal => ({
  verdict: "rejected",
  code,
  check,
  reason,
  hint,
});
