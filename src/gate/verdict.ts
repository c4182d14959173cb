import type { BranchName, ErrorCode, Hash, MemoryId, Scope } from "../core/base/index.js";
import type { Kind } from "./detect/rule.js";

export type VerdictKind = Verdict["verdict"];

/** Stable codes of refusals, beside those of the error table for input that is not even well formed. */
export type RefusalCode =
  | ErrorCode
  | "SWITCHED_OFF"
  | "JOURNAL"
  | "TOO_LONG"
  | "TOO_SHORT"
  | "RAW_OUTPUT"
  | "STALE_ENTRY"
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
export type Verdict = KnownVerdict | RefusedVerdict;

/** What was said is in memory: newly, in place of an earlier version, or since before. */
export interface KnownVerdict extends AnyVerdict {
  readonly verdict: "accepted" | "updated" | "duplicate";
  readonly id: MemoryId;
  readonly scope: Scope;
}

/** It is not in memory: refused, or waiting for a person to decide. */
export interface RefusedVerdict extends AnyVerdict {
  readonly verdict: "rejected" | "quarantined";
  readonly id?: MemoryId;
  readonly scope?: Scope;
  readonly code: RefusalCode;
  readonly check: string;
  readonly reason: string;
  readonly hint: string;
}

/** What both kinds may tell. */
export interface AnyVerdict {
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
  /** What that version said, where a belief says something else now. */
  readonly replacedText?: string;
  /** Fields left contested by this write. */
  readonly contested?: readonly string[];
  /** Kinds of secrets and personal data it holds, or held before they were cut out. Never the values. */
  readonly found?: readonly Kind[];
  /** The memory it contradicts; of a write that was accepted, one that it may contradict and that is kept beside it. */
  readonly against?: MemoryId;
  /** Memories to merge or forget, so that there is room. */
  readonly candidates?: readonly MemoryId[];
  /** Where a quarantined write waits: see `review`. */
  readonly staged?: string;
}

/** A check's refusal, before it becomes a verdict. */
export type Refusal = Unwelcome | Repeated;

export interface Unwelcome extends Finding {
  readonly verdict: "rejected" | "quarantined";
  readonly of?: MemoryId;
}

interface Repeated extends Finding {
  readonly verdict: "duplicate";
  readonly of: MemoryId;
}

interface Finding {
  readonly code: RefusalCode;
  readonly check: string;
  readonly reason: string;
  readonly hint: string;
  readonly similarity?: number;
  readonly found?: readonly Kind[];
  readonly against?: MemoryId;
  readonly candidates?: readonly MemoryId[];
}

export const refuse = (code: RefusalCode, check: string, reason: string, hint: string): Unwelcome => ({
  verdict: "rejected",
  code,
  check,
  reason,
  hint,
});

/** Held back for a person to decide: it waits in staging and is seen by no search. */
export const quarantine = (code: RefusalCode, check: string, reason: string, hint: string): Unwelcome => ({
  ...refuse(code, check, reason, hint),
  verdict: "quarantined",
});

/** What a piece of evidence is worth when nobody says otherwise: it takes three tenths of the doubt that is left. */
const EVIDENCE = 0.3;
/** As sure as agents may become among themselves. */
const MOST_WITHOUT_USER = 0.95;

/** The confidence of a belief after one more piece of evidence. */
export function strengthened(confidence: number, byUser: boolean, evidence = EVIDENCE): number {
  const raised = 1 - (1 - evidence) * (1 - confidence);
  const most = byUser ? 1 : Math.max(MOST_WITHOUT_USER, confidence);
  return Math.round(Math.min(raised, most) * 1e6) / 1e6;
}
