import { crc32 } from "node:zlib";
import type { OpenBlob } from "../storage/index.js";
import { CheckedBytes, checksOf, checksSize } from "./checked-bytes.js";
import type { Columns, Frozen } from "./frozen.js";
import { lazyColumns } from "./lazy-columns.js";
import { aligned, areSound, NAMES, type Section, type Sections } from "./sections.js";

/** Of which state an image is, and by which rules it was made: only an exact match is used. */
export interface ImageTag {
  readonly commit: string;
  readonly root: string;
  readonly analyser: string;
  /** How often something had been erased; an image from before would still hold its words. */
  readonly epoch: number;
}

interface Header {
  readonly tag: ImageTag;
  readonly partitions: Frozen["partitions"];
  readonly names: Frozen["names"];
  /** Where each column lies in the body. */
  readonly sections: Sections;
}

/** "PALVIEW" and the version of the layout. */
const MAGIC = Buffer.from("PALVIEW\u0005", "latin1");
const PREFIX = 32;

/**
 * Layout: magic 8 | crc32 of what follows up to the body u32 | length of the header u32 | where the body begins u64 | length
 * of all u64 | header (JSON) | a crc32 for each block of the body, u32 | body: the columns.
 *
 * In pieces, the columns as they lie in RAM: a copy of them would take as much room as the view itself.
 */
export function encodeImage(frozen: Frozen, tag: ImageTag): Uint8Array[] {
  const sections: Partial<Record<keyof Columns, Section>> = {};
  const columns: Uint8Array[] = [];
  let size = 0;
  for (const name of NAMES) {
    const { buffer, byteOffset, byteLength, length } = frozen[name];
    sections[name] = [size, length];
    const end = aligned(size + byteLength);
    columns.push(new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(end - size - byteLength));
    size = end;
  }
  const { partitions, names } = frozen;
  const header = Buffer.from(JSON.stringify({ tag, partitions, names, sections }));
  const checks = PREFIX + header.length;
  const head = Buffer.alloc(aligned(checks + checksSize(size)));
  MAGIC.copy(head);
  head.writeUInt32LE(header.length, 12);
  head.writeBigUInt64LE(BigInt(head.length), 16);
  head.writeBigUInt64LE(BigInt(head.length + size), 24);
  head.set(header, PREFIX);
  head.set(checksOf(columns, size), checks);
  head.writeUInt32LE(crc32(head.subarray(12)), 8);
  return [head, ...columns];
}

/**
 * Undefined when it is cut, its head is changed or does not add up, or it is the image of something else. The columns are read and checked when
 * they are first wanted: whoever wants one that is damaged meets an `ImageDamage`.
 */
export function decodeImage(blob: OpenBlob, tag: ImageTag): Frozen | undefined {
  const prefix = Buffer.from(blob.read(0, Math.min(PREFIX, blob.size)));
  if (prefix.length < PREFIX || !prefix.subarray(0, 8).equals(MAGIC)) return undefined;
  const body = prefix.readBigUInt64LE(16);
  if (prefix.readBigUInt64LE(24) !== BigInt(blob.size) || body > blob.size) return undefined;
  if (body < PREFIX) return undefined;
  const head = Buffer.from(blob.read(0, Number(body)));
  if (head.length !== Number(body) || head.readUInt32LE(8) !== crc32(head.subarray(12))) return undefined;
  const checks = PREFIX + head.readUInt32LE(12);
  const header = JSON.parse(head.toString("utf8", PREFIX, checks)) as Header;
  if (!isSameTag(header.tag, tag)) return undefined;
  const { sections, partitions, names } = header;
  const size = blob.size - head.length;
  if (head.length !== aligned(checks + checksSize(size))) return undefined;
  if (!areSound(sections, size, partitions.length, names.length)) return undefined;
  const bytes = new CheckedBytes(blob, head.length, head.subarray(checks));
  return Object.assign(lazyColumns(bytes, sections), { partitions, names });
}

const isSameTag = (a: ImageTag, b: ImageTag): boolean =>
  a.commit === b.commit && a.root === b.root && a.analyser === b.analyser && a.epoch === b.epoch;
