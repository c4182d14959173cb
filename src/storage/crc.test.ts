import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { crcOf } from "./touch-codec.js";

it("the checksum of a row is crc32, whatever its length and seed", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 2, maxLength: 9000, size: "max" }), fc.nat(9), (bytes, seed) => {
      expect(crcOf(bytes, bytes.length, seed)).toBe(crc32(bytes, seed));
      const half = bytes.length >> 1;
      expect(crcOf(bytes, half, seed)).toBe(crc32(bytes.subarray(0, half), seed));
    }),
  );
  expect(crcOf(new Uint8Array(0), 0)).toBe(crc32(new Uint8Array(0)));
});
