import { crc32 } from "node:zlib";
import type { Columns } from "./frozen.js";

/** What a test may lie about. */
export interface ImageHeader {
  readonly partitions: unknown[];
  readonly names: unknown[];
  readonly sections: Record<keyof Columns, unknown[]>;
}

/** An image with another header and the checksum of it, as somebody makes it who knows the format. */
export function forged(image: Buffer, lie: (header: ImageHeader) => void): Buffer {
  const end = 32 + image.readUInt32LE(12);
  const body = Number(image.readBigUInt64LE(16));
  const header = JSON.parse(image.toString("utf8", 32, end)) as ImageHeader;
  const checks = image.subarray(end, end + 4 * Math.ceil((image.length - body) / 16_384));
  lie(header);
  const text = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(Math.ceil((32 + text.length + checks.length) / 8) * 8);
  image.copy(head, 0, 0, 32);
  head.writeUInt32LE(text.length, 12);
  head.writeBigUInt64LE(BigInt(head.length), 16);
  head.writeBigUInt64LE(BigInt(head.length + image.length - body), 24);
  head.set(text, 32);
  head.set(checks, 32 + text.length);
  head.writeUInt32LE(crc32(head.subarray(12)), 8);
  return Buffer.concat([head, image.subarray(body)]);
}
