import { canonical, type Hash, hashCanonical, parseFrozen } from "../base/index.js";
import type { Changeset, Commit, MemoryRecord, Note, Operation, Tombstone } from "./types.js";

/** The JSON objects of the ledger by kind. Nodes are binary and belong to `merkle`. */
export interface Kinds {
  memory: MemoryRecord;
  changeset: Changeset;
  commit: Commit;
  note: Note;
  operation: Operation;
  tombstone: Tombstone;
}

export interface Encoded<K extends keyof Kinds = keyof Kinds> {
  readonly kind: K;
  readonly hash: Hash;
  readonly bytes: Uint8Array;
}

/** The value as stored: canonical JSON in UTF-8 under the hash of its kind. */
export function encodeObject<K extends keyof Kinds>(kind: K, value: Kinds[K]): Encoded<K> {
  const text = canonical(value);
  return { kind, hash: hashCanonical(kind, text), bytes: Buffer.from(text) };
}

/** Reads stored bytes back as a frozen value. Whoever fetched them has checked their hash. */
export function decodeObject<K extends keyof Kinds>(_kind: K, bytes: Uint8Array): Kinds[K] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  return parseFrozen(text) as Kinds[K];
}
