import { type Hash, hashFromBytes, writeHash } from "../../core/base/index.js";
import { crcOf } from "../crc.js";
import { damaged } from "./errors.js";

/** Not that of other columns: bytes in the wrong place must not pass. */
const SEED = 2;

/** The operations of one row: their hashes, oldest first, and a crc32. */
export function packOps(ops: readonly Hash[], room: (size: number) => Buffer = Buffer.allocUnsafe): Buffer {
  const out = room(ops.length * 32 + 4);
  let at = 0;
  for (const hash of ops) at = writeHash(hash, out, at);
  out.writeUInt32BE(crcOf(out, at, SEED), at);
  return out;
}

export function unpackOps(bytes: Buffer): Hash[] {
  const end = bytes.length - 4;
  if (end < 0 || end % 32 !== 0 || bytes.readUInt32BE(end) !== crcOf(bytes, end, SEED))
    throw damaged("A row of the operation log is damaged.");
  return Array.from({ length: end / 32 }, (_, at) => hashFromBytes(bytes, at * 32));
}
