import type { Hash, JsonObject } from "../core/base/index.js";
import type { Lifetime, Sensitivity, Tier, Triple } from "../core/ledger/index.js";

/** What a caller may say about a memory. Everything but the text (or a triple) is optional. */
export interface MemoryInput {
  readonly text?: string;
  readonly id?: string;
  readonly scope?: string;
  readonly type?: string;
  readonly triple?: Triple;
  readonly attributes?: JsonObject;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly parent?: string;
  readonly position?: string;
  /** A room, or `room/drawer`, of the palace that it lies in, made if it is not there; instead of `parent`. */
  readonly in?: string;
  readonly tier?: Tier | "log";
  readonly topic?: string;
  readonly lifetime?: Lifetime;
  /** Milliseconds to live; makes the lifetime temporary unless another is given. */
  readonly ttl?: number;
  readonly expiresAt?: string;
  readonly confidence?: number;
  readonly sensitivity?: Sensitivity;
  readonly source?: string;
  readonly evidence?: string;
  readonly uri?: string;
  readonly turn?: number;
  /** Of a message: the person or role that said it; default the agent that writes. */
  readonly speaker?: string;
  /** Of a message: the conversation it was said in; default the session that writes. */
  readonly conversation?: string;
  readonly derivedFrom?: readonly Hash[];
  readonly valid?: { readonly from?: string; readonly to?: string };
}

/** A change to a memory: only what is named changes; null removes an optional field or attribute. */
export type MemoryChange = {
  readonly [K in keyof Omit<MemoryInput, "id" | "scope" | "topic" | "speaker" | "conversation">]?:
    | MemoryInput[K]
    | null;
};
