import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { FORMAT_VERSION, WEIGHTS_SHA256 } from "./config.js";
import { layout } from "./layout.js";

/** magic 8 | version u32 | payload length u32 | sha256 of the source weights 32 | crc32 of the payload u32 | zeros */
export const HEADER_BYTES = 64;
const MAGIC = "PLMPMLM8";

export function writeHeader(file: Buffer): void {
  const payload = file.subarray(HEADER_BYTES);
  file.write(MAGIC, 0, "latin1");
  file.writeUInt32LE(FORMAT_VERSION, 8);
  file.writeUInt32LE(payload.length, 12);
  Buffer.from(WEIGHTS_SHA256, "hex").copy(file, 16);
  file.writeUInt32LE(crc32(payload), 48);
}

/**
 * Loads the cached weights into what `allocate(length)` gives (WebAssembly memory: no copy is kept). Answers their
 * length; undefined when the file is missing, of another version or damaged, and has to be made anew.
 */
export function readCache(path: string, allocate: (length: number) => Uint8Array): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(fd, header, 0, HEADER_BYTES, 0) !== HEADER_BYTES) return undefined;
    const length = header.readUInt32LE(12);
    if (!isOurs(header) || fstatSync(fd).size !== HEADER_BYTES + length) return undefined;
    const target = allocate(length);
    for (let done = 0; done < length; ) {
      const read = readSync(fd, target, done, length - done, HEADER_BYTES + done);
      if (read === 0) return undefined;
      done += read;
    }
    return crc32(target) === header.readUInt32LE(48) ? length : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

const isOurs = (header: Buffer): boolean =>
  header.toString("latin1", 0, 8) === MAGIC &&
  header.readUInt32LE(8) === FORMAT_VERSION &&
  header.toString("hex", 16, 48) === WEIGHTS_SHA256 &&
  header.readUInt32LE(12) > layout().vocab;
