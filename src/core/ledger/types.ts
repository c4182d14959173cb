import type { BranchName, Hash, Json, JsonObject, MemoryId, Scope, Timestamp } from "../base/index.js";

export type Tier = "register" | "canon";
export type Lifetime = "permanent" | "session" | "temporary";
export type Sensitivity = "normal" | "private" | "confidential";
/** Weakest first; see `weaker`. */
export type Trust = "external" | "agent" | "user" | "operator";

export interface Triple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** Where a memory came from. Trust is computed at the write and never given by a caller. */
export interface Origin {
  readonly source: string;
  readonly channel: string;
  readonly trust: Trust;
  readonly actor?: string;
  readonly session?: string;
  readonly turn?: number;
  readonly uri?: string;
  readonly evidence?: string;
  readonly derivedFrom?: readonly Hash[];
  readonly movedFrom?: Scope;
}

/** One side of an unresolved conflict. Without `commit` it was set by the commit that made the record. */
export interface Term {
  readonly value?: Json;
  readonly deleted?: true;
  readonly commit?: Hash;
  readonly author: Author;
  readonly trust: Trust;
}

export interface Contest {
  readonly base?: Json;
  readonly terms: readonly Term[];
}

/**
 * What is believed, in its canonical form: a field equal to its default is absent, as are empty lists and
 * objects. Times and version counters are not in it; they come from the commits that touched it.
 */
export interface MemoryRecord {
  readonly scope: Scope;
  readonly id: MemoryId;
  readonly type: string;
  readonly text: string;
  readonly triple?: Triple;
  readonly attributes?: JsonObject;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly parent?: MemoryId;
  readonly position?: string;
  readonly tier?: Tier;
  readonly topic?: string;
  readonly lifetime?: Lifetime;
  readonly session?: string;
  readonly expiresAt?: Timestamp;
  readonly confidence?: number;
  readonly sensitivity?: Sensitivity;
  readonly origin: Origin;
  readonly valid?: { readonly from?: Timestamp; readonly to?: Timestamp };
  readonly salt?: string;
  readonly contested?: { readonly [field: string]: Contest };
}

export type Op = "add" | "modify" | "forget" | "observe";

/** Hashes only: enough to fold without reading a record, and nothing a caller wrote stays in the chain. */
export interface LedgerEvent {
  readonly op: Op;
  readonly scope: Hash;
  readonly id: Hash;
  readonly before?: Hash;
  readonly after?: Hash;
}

export interface Changeset {
  readonly events: readonly LedgerEvent[];
}

export interface Author {
  readonly kind: "user" | "operator" | "agent" | "system";
  readonly id: string;
}

export interface Commit {
  readonly v: 1;
  readonly parents: readonly Hash[];
  readonly root: Hash;
  readonly changeset: Hash;
  readonly generation: number;
  readonly time: Timestamp;
  readonly author: Author;
  readonly branch: BranchName;
  readonly note?: Hash;
}

/** What callers wrote about a commit or an operation; kept apart so that it can be erased. */
export interface Note {
  readonly message?: string;
  readonly reasons?: readonly string[];
  readonly why?: string;
  readonly meta?: JsonObject;
}

/** One move of refs: who changed what from where to where. */
export interface Operation {
  readonly v: 1;
  readonly verb: string;
  readonly refs: readonly { readonly name: string; readonly before?: Hash; readonly after?: Hash }[];
  readonly time: Timestamp;
  readonly author: Author;
  readonly session?: string;
  readonly note?: Hash;
}

/** What remains of an erased memory. */
export interface Tombstone {
  readonly v: 1;
  readonly scope: Hash;
  readonly id: Hash;
  readonly records: readonly Hash[];
  readonly textDigest: string;
  readonly time: Timestamp;
  readonly author: Author;
}

/**
 * One event as readers want it: derived from commit, changeset and records, and rebuildable from them.
 * `links` are lookup keys of the record (its parent, its topic); see `linksOf`.
 */
export interface Touch {
  readonly scope: Hash;
  readonly id: Hash;
  readonly op: Op;
  /** Absent after a forget. */
  readonly record?: Hash;
  readonly commit: Hash;
  readonly generation: number;
  readonly time: Timestamp;
  readonly author: Author;
  readonly version: number;
  readonly created: Timestamp;
  readonly sensitivity: Sensitivity;
  readonly links: readonly Hash[];
}

/** What kind of thing a memory is, fixed by its type: what is believed, what was written, what was said. */
export type Lane = "belief" | "document" | "message";

const BELIEFS = new Set(["fact", "identity", "observation"]);
const MESSAGES = new Set(["message", "step"]);

export const laneOf = (type: string): Lane =>
  BELIEFS.has(type) ? "belief" : MESSAGES.has(type) ? "message" : "document";

const TRUST: readonly Trust[] = ["external", "agent", "user", "operator"];
const SENSITIVITY: readonly Sensitivity[] = ["normal", "private", "confidential"];

export const trustRank = (trust: Trust): number => TRUST.indexOf(trust);
export const isTrust = (value: unknown): value is Trust => TRUST.includes(value as Trust);
export const weakest = (...levels: readonly Trust[]): Trust =>
  levels.reduce((a, b) => (trustRank(a) <= trustRank(b) ? a : b));

export const sensitivityOf = (record: MemoryRecord): Sensitivity => record.sensitivity ?? "normal";
export const isSensitivity = (value: unknown): value is Sensitivity =>
  SENSITIVITY.includes(value as Sensitivity);
export const mostSensitive = (a: Sensitivity, b: Sensitivity): Sensitivity =>
  SENSITIVITY.indexOf(a) >= SENSITIVITY.indexOf(b) ? a : b;
/** May a reader with this clearance see it? */
export const clears = (clearance: Sensitivity, sensitivity: Sensitivity): boolean =>
  SENSITIVITY.indexOf(sensitivity) <= SENSITIVITY.indexOf(clearance);
