import type { Hash, Timestamp } from "../core/base/index.js";
import type { Author } from "../core/ledger/index.js";
import type { LayerName } from "./detect/cue.js";

/** What an answer rests on: a memory, an entry of the scratchpad, an artifact or a playbook, word for word. */
export interface Citation {
  readonly layer: LayerName;
  readonly id: string;
  readonly text: string;
  /** How likely it is evidence for the question, 0 to 1. */
  readonly score: number;
  readonly type?: string;
  readonly topic?: string;
  readonly scope?: string;
  readonly commit?: Hash;
  readonly hash?: Hash;
  readonly version?: number;
  readonly author?: Author;
  readonly trust?: string;
  /** Of something said: by whom, in which conversation and turn, and when. */
  readonly speaker?: string;
  readonly session?: string;
  readonly turn?: number;
  readonly saidAt?: Timestamp;
  readonly updatedAt?: string;
  /** Where an artifact or a playbook is. */
  readonly uri?: string;
  /** What both sides say of a field that is contested. */
  readonly contested?: readonly string[];
  /** What was held before and answered the same question: it took the place of these. */
  readonly inPlaceOf?: readonly { readonly id: string; readonly text: string; readonly updatedAt: string }[];
}

/**
 * possible: it holds what may answer, and is quoted unless a later layer has more. unavailable: it could not be asked, which
 * is not the same as having found nothing.
 */
export type LayerStatus = "hit" | "possible" | "empty" | "unavailable";

export interface LayerAnswer {
  readonly status: LayerStatus;
  /** Was it told by more than words that the first of what it found is the answer? */
  readonly isCertain?: boolean;
  /** Did the judge look at it? */
  readonly isJudged?: boolean;
  /** How likely the layer holds an answer, 0 to 1; it is a hit from a threshold on that was measured. */
  readonly best: number;
  /** Best first. Of a layer that is empty: what came nearest. */
  readonly found: readonly Citation[];
  readonly reason?: string;
}

/** One layer of memory. It never answers `hit` below its threshold, and failing is an answer too. */
export interface Layer {
  readonly name: LayerName;
  ask(question: string): Promise<LayerAnswer>;
  /** Does the question name something of this layer, so that it is to be asked even after a hit? */
  isNamedIn?(question: string): boolean;
  readonly timeoutMs?: number;
}

export interface TraceItem {
  readonly layer: LayerName;
  readonly status: LayerStatus;
  readonly ms: number;
  readonly best: number;
  readonly reason?: string;
}

/** A fresher text that says something else than the one the answer rests on. */
export interface Disagreement {
  readonly about: string;
  readonly says: string;
  readonly source: string;
  readonly updatedAt?: string;
}
