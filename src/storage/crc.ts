import { crc32 } from "node:zlib";

/** Up to here a loop of our own is cheaper than a call out of the language. */
const SHORT = 256;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The crc32 of the first `end` bytes. A seed keeps bytes of one column from passing in another. */
export function crcOf(bytes: Uint8Array, end: number, seed = 0): number {
  if (end > SHORT) return crc32(end === bytes.length ? bytes : bytes.subarray(0, end), seed);
  let crc = ~seed;
  for (let at = 0; at < end; at++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
