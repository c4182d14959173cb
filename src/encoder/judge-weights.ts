import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { judgeAt } from "./engine.js";
import { judgeLayout } from "./layout.js";

/** magic 8 | version u32 | payload length u32 | crc32 of the payload u32 | zeros */
const HEADER_BYTES = 64;
const MAGIC = "PALJUDGE";
/** Raise when layout, quantization or packing changes; `train/export.py` writes it too. */
const VERSION = 1;

/** Puts the judge's weights beside the embedder's, unless another thread did. They are the same bytes, so two may do it at once. */
export function loadJudgeWeights(memory: WebAssembly.Memory, payloadBytes: number, path: string): void {
  const length = judgeLayout().end;
  const begin = judgeAt(payloadBytes);
  const isThere = new Int32Array(memory.buffer, begin + length, 1);
  if (Atomics.load(isThere, 0) === 1) return;
  const fd = openSync(path, "r");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(fd, header, 0, HEADER_BYTES, 0);
    const isOurs =
      header.toString("latin1", 0, 8) === MAGIC &&
      header.readUInt32LE(8) === VERSION &&
      header.readUInt32LE(12) === length &&
      fstatSync(fd).size === HEADER_BYTES + length;
    if (!isOurs) throw new Error(`${path} holds no weights of this judge`);
    const target = new Uint8Array(memory.buffer, begin, length);
    for (let done = 0; done < length; ) {
      const read = readSync(fd, target, done, length - done, HEADER_BYTES + done);
      if (read === 0) break;
      done += read;
    }
    if (crc32(target) !== header.readUInt32LE(16)) throw new Error(`${path} is damaged`);
    Atomics.store(isThere, 0, 1);
  } finally {
    closeSync(fd);
  }
}
