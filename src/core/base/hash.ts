import { hash as digest } from "node:crypto";
import { PalimpsestError, quote } from "./errors.js";
import { canonical } from "./json.js";

declare const hashBrand: unique symbol;
/** A whole SHA-256 digest as 64 lower-case hexadecimal digits. */
export type Hash = string & { readonly [hashBrand]: true };

/** What a hash was taken of. The kind is part of the hashed bytes, so no value can pass for another kind. */
export type HashKind =
  | "scope"
  | "id"
  | "topic"
  | "memory"
  | "content"
  | "tree"
  | "link"
  | "changeset"
  | "commit"
  | "note"
  | "node"
  | "operation"
  | "tombstone"
  | "vector";

const tag = (kind: HashKind): string => `palimpsest:${kind}:v1\n`;

/** Hash of a JSON value in its canonical form. */
export const hashValue = (kind: HashKind, value: unknown): Hash => hashCanonical(kind, canonical(value));

/** Hash of a text that is known to be canonical JSON. */
export const hashCanonical = (kind: HashKind, text: string): Hash =>
  digest("sha256", tag(kind) + text, "hex") as Hash;

/** Hash of binary bytes (nodes), or of canonical JSON as stored. */
export function hashBytes(kind: HashKind, bytes: Uint8Array): Hash {
  const start = TAGS[kind];
  const size = start.length + bytes.length;
  if (size > joined.length) return digest("sha256", Buffer.concat([start, bytes]), "hex") as Hash;
  joined.set(start);
  joined.set(bytes, start.length);
  views[size] ??= joined.subarray(0, size);
  return digest("sha256", views[size], "hex") as Hash;
}

/** Where tag and bytes are laid together: an allocation per hash would cost more than the hash. */
const joined = new Uint8Array(16_384);
/** Its beginnings by length: nodes are of few lengths. */
const views: Uint8Array[] = [];

const TAGS = Object.fromEntries(
  (
    [
      ["scope", "id", "topic", "memory", "content", "tree", "link"],
      ["changeset", "commit", "note", "node", "operation", "tombstone", "vector"],
    ] as HashKind[][]
  )
    .flat()
    .map((kind) => [kind, Buffer.from(tag(kind))]),
) as Record<HashKind, Buffer>;

export const isHash = (text: unknown): text is Hash =>
  typeof text === "string" && /^[0-9a-f]{64}$/.test(text);

export function parseHash(text: string): Hash {
  if (!isHash(text)) throw new PalimpsestError("INVALID_HASH", `Not a hash: ${quote(text)}.`);
  return text;
}

export const hashToBytes = (hash: Hash): Buffer => Buffer.from(hash, "hex");

/**
 * Writes the bytes of a hash, and answers where they end. A loop, because every commit writes a score of them, and a call
 * out of the language costs more than it. In ASCII the low four bits of a digit are its value, of a letter nine less.
 */
export function writeHash(hash: Hash, bytes: Uint8Array, at: number): number {
  for (let digit = 0; digit < 64; digit += 2) {
    const high = hash.charCodeAt(digit);
    const low = hash.charCodeAt(digit + 1);
    bytes[at + (digit >> 1)] = (((high & 15) + (high >> 6) * 9) << 4) | ((low & 15) + (low >> 6) * 9);
  }
  return at + 32;
}

export function hashFromBytes(bytes: Uint8Array, at = 0): Hash {
  // Without this check a cut-off view would be completed from whatever lies behind it in its buffer.
  if (at < 0 || at + 32 > bytes.length)
    throw new PalimpsestError("INVALID_HASH", `No whole hash at byte ${at} of ${bytes.length}.`);
  // Another view of the bytes would cost as much again as the digits.
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString("hex", at, at + 32) as Hash;
}

/** The form shown to people; any unambiguous prefix of 7 or more is accepted back. */
export const shortHash = (hash: Hash): string => hash.slice(0, 12);
