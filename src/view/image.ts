import { crc32 } from "node:zlib";
import { type Columns, type Frozen, LAYOUT } from "./frozen.js";

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
  readonly sections: Readonly<Record<string, readonly [start: number, length: number]>>;
}

/** "PALVIEW" and the version of the layout. */
const MAGIC = Buffer.from("PALVIEW\u0004", "latin1");
const PREFIX = 24;
/** Every array begins at a multiple of this, so that the bytes of a file can be used as they are. */
const ALIGN = 8;
const aligned = (at: number): number => Math.ceil(at / ALIGN) * ALIGN;

/** Layout: magic 8 | crc32 of the rest u32 | length of the header u32 | length of all u64 | header (JSON) | arrays. */
export function encodeImage(frozen: Frozen, tag: ImageTag): Buffer {
  const sections: Record<string, [number, number]> = {};
  let size = 0;
  for (const name of Object.keys(LAYOUT) as (keyof Columns)[]) {
    sections[name] = [size, frozen[name].length];
    size = aligned(size + frozen[name].byteLength);
  }
  const header: Header = { tag, partitions: frozen.partitions, names: frozen.names, sections };
  const head = Buffer.from(JSON.stringify(header));
  const start = aligned(PREFIX + head.length);
  const image = Buffer.alloc(start + size);
  MAGIC.copy(image);
  image.writeUInt32LE(head.length, 12);
  image.writeBigUInt64LE(BigInt(image.length), 16);
  head.copy(image, PREFIX);
  for (const name of Object.keys(LAYOUT) as (keyof Columns)[]) {
    const { buffer, byteOffset, byteLength } = frozen[name];
    image.set(new Uint8Array(buffer, byteOffset, byteLength), start + sections[name]![0]);
  }
  image.writeUInt32LE(crc32(image.subarray(12)), 8);
  return image;
}

/** Undefined when anything is missing or changed, or when it is the image of something else. */
export function decodeImage(image: Buffer, tag: ImageTag): Frozen | undefined {
  if (image.length < PREFIX || !image.subarray(0, 8).equals(MAGIC)) return undefined;
  if (image.readBigUInt64LE(16) !== BigInt(image.length)) return undefined;
  if (image.readUInt32LE(8) !== crc32(image.subarray(12))) return undefined;
  const headLength = image.readUInt32LE(12);
  const header = JSON.parse(image.toString("utf8", PREFIX, PREFIX + headLength)) as Header;
  if (!isSameTag(header.tag, tag)) return undefined;
  // An array can only lie over a buffer from a multiple of its element's size on.
  const base = image.byteOffset % ALIGN === 0 ? image : Buffer.from(new Uint8Array(image).buffer);
  const start = aligned(PREFIX + headLength);
  const columns: Record<string, unknown> = {};
  for (const [name, Type] of Object.entries(LAYOUT)) {
    const [at, length] = header.sections[name]!;
    columns[name] = new Type(base.buffer as ArrayBuffer, base.byteOffset + start + at, length);
  }
  return { ...(columns as unknown as Columns), partitions: header.partitions, names: header.names };
}

const isSameTag = (a: ImageTag, b: ImageTag): boolean =>
  a.commit === b.commit && a.root === b.root && a.analyser === b.analyser && a.epoch === b.epoch;
