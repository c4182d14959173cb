import { canonical, type Hash, hashCanonical, parseFrozen } from "../base/index.js";
import type { Changeset, Commit, MemoryRecord, Note, Operation, Tombstone } from "./types.js";
import { changesetText, commitText, memoryText, operationText } from "./written.js";

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
  /** The same as text. */
  readonly text: string;
}

const WRITTEN: { readonly [K in keyof Kinds]?: (value: Kinds[K]) => string } = {
  changeset: changesetText,
  commit: commitText,
  memory: memoryText,
  operation: operationText,
};

/** The value as stored: canonical JSON in UTF-8 under the hash of its kind. */
export function encodeObject<K extends keyof Kinds>(kind: K, value: Kinds[K]): Encoded<K> {
  const text = WRITTEN[kind]?.(value) ?? canonical(value);
  return new Written(kind, hashCanonical(kind, text), text);
}

/** Many are asked for their hash only, and a store may write the text where it is to lie. */
class Written<K extends keyof Kinds> implements Encoded<K> {
  readonly kind: K;
  readonly hash: Hash;
  readonly text: string;
  #bytes: Uint8Array | undefined;

  constructor(kind: K, hash: Hash, text: string) {
    this.kind = kind;
    this.hash = hash;
    this.text = text;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

/** Reads stored bytes back as a frozen value. The caller that fetched them has checked their hash. */
export const decodeObject = <K extends keyof Kinds>(_kind: K, bytes: Uint8Array): Kinds[K] =>
  parseFrozen(textOf(bytes)) as Kinds[K];

/** The same for somebody who shares it with nobody: freezing takes as long as parsing. */
export const parseObject = <K extends keyof Kinds>(_kind: K, bytes: Uint8Array): Kinds[K] =>
  JSON.parse(textOf(bytes));

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
