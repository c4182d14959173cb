import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Hash,
  type HashKind,
  hashBytes,
  hashCanonical,
  hashFromBytes,
  hashToBytes,
  hashValue,
  isHash,
  parseHash,
  shortHash,
  writeHash,
} from "./hash.js";
import { canonical } from "./json.js";

interface Golden {
  readonly value: unknown;
  readonly canonical: string;
  readonly hashes: Readonly<Record<HashKind, string>>;
}
const golden = JSON.parse(
  readFileSync(new URL("../../../test/golden/hash-v1.json", import.meta.url), "utf8"),
) as Golden;

/** Without an entry for every kind this does not compile; without a golden hash for each, F7 fails. */
const KINDS = Object.keys({
  scope: 1,
  id: 1,
  topic: 1,
  memory: 1,
  content: 1,
  tree: 1,
  link: 1,
  changeset: 1,
  commit: 1,
  note: 1,
  node: 1,
  operation: 1,
  tombstone: 1,
  vector: 1,
} satisfies Record<HashKind, 1>) as HashKind[];

const kind = fc.constantFrom(...KINDS);
const json = fc
  .jsonValue({ stringUnit: "binary" })
  .filter((v) => !JSON.stringify(v).includes('"__proto__":'));

describe("F7 a hash is SHA-256 over the kind's tag and the canonical JSON", () => {
  it.each(KINDS)("F7 golden hash of kind %s", (name) => {
    expect(golden.hashes[name]).toMatch(/^[0-9a-f]{64}$/);
    expect(hashValue(name, golden.value)).toBe(golden.hashes[name]);
    expect(hashCanonical(name, golden.canonical)).toBe(golden.hashes[name]);
  });

  it("F7 the golden file knows no other kind", () => {
    expect(Object.keys(golden.hashes).sort()).toEqual([...KINDS].sort());
  });

  it("F7 equals the plain formula for any value", () => {
    fc.assert(
      fc.property(kind, json, (name, value) => {
        const plain = createHash("sha256").update(`palimpsest:${name}:v1\n`).update(canonical(value));
        expect(hashValue(name, value)).toBe(plain.digest("hex"));
      }),
    );
  });

  it("F7 the order of keys does not reach the hash", () => {
    expect(hashValue("memory", { a: 1, b: 2 })).toBe(hashValue("memory", { b: 2, a: 1, c: undefined }));
  });
});

describe("F8 the kind is part of the hash", () => {
  it("F8 one value has a hash of its own under each kind", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(new Set(KINDS.map((name) => hashValue(name, value))).size).toBe(KINDS.length);
      }),
    );
  });
});

describe("F9 hashing bytes and hashing text agree", () => {
  it("F9 for canonical JSON of every kind", () => {
    fc.assert(
      fc.property(kind, json, (name, value) => {
        const text = canonical(value);
        expect(hashBytes(name, Buffer.from(text))).toBe(hashCanonical(name, text));
      }),
    );
  });

  it("F9 a view into a larger buffer is hashed as what it shows", () => {
    const pool = Buffer.from('xx{"a":1}yy');
    expect(hashBytes("memory", pool.subarray(2, 9))).toBe(hashValue("memory", { a: 1 }));
  });
});

describe("F10 only 64 lower-case hexadecimal digits, or 32 whole bytes, are a hash", () => {
  const hash = hashValue("memory", 1);

  it("F10 accepts what hashing makes", () => {
    expect(isHash(hash)).toBe(true);
    expect(parseHash(hash)).toBe(hash);
    expect(shortHash(hash)).toBe(hash.slice(0, 12));
  });

  it.each([
    ["upper case", hash.toUpperCase()],
    ["too short", hash.slice(1)],
    ["too long", `${hash}0`],
    ["a line feed behind", `${hash}\n`],
    ["another letter", `g${hash.slice(1)}`],
    ["empty", ""],
    ["very long", "0".repeat(1_000_000)],
  ])("F10 refuses %s", (_, text) => {
    expect(isHash(text)).toBe(false);
    expect(() => parseHash(text)).toThrow(expect.objectContaining({ code: "INVALID_HASH" }));
  });

  it.each([[undefined], [null], [7], [7n], [{}]])("F10 refuses %s, which is no text", (value) => {
    expect(isHash(value)).toBe(false);
    expect(() => parseHash(value as unknown as string)).toThrow(
      expect.objectContaining({ code: "INVALID_HASH" }),
    );
  });

  it("F10 bytes and digits turn into each other", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(40), (bytes, at) => {
        const text = Buffer.from(bytes).toString("hex") as Hash;
        const padded = Buffer.concat([Buffer.alloc(at), bytes, Buffer.alloc(3)]);
        expect(hashFromBytes(bytes)).toBe(text);
        expect(hashFromBytes(padded, at)).toBe(text);
        expect(hashToBytes(text)).toEqual(Buffer.from(bytes));
        const written = Buffer.alloc(padded.length);
        expect(writeHash(text, written, at)).toBe(at + 32);
        expect(written).toEqual(padded);
      }),
    );
  });

  it("F10 a cut-off hash is refused and never completed from the memory behind it", () => {
    const pool = new Uint8Array(100);
    for (const [length, at] of [
      [31, 0],
      [40, 9],
      [0, 0],
      [40, -1],
    ] as const)
      expect(() => hashFromBytes(pool.subarray(10, 10 + length), at)).toThrow(
        expect.objectContaining({ code: "INVALID_HASH" }),
      );
  });
});
