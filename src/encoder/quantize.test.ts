import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HEADER_BYTES, readCache } from "./cache.js";
import { VOCAB } from "./config.js";
import { layout } from "./layout.js";
import { quantizeModel, quantizeRow } from "./quantize.js";
import { resolveModelDir, Safetensors } from "./safetensors.js";
import { writeCache } from "./write-cache.js";

const place = mkdtempSync(join(tmpdir(), "pal-quantize-"));
afterAll(() => rmSync(place, { recursive: true }));
const path = join(place, "nested", "model.bin");
const read = (file: string): number | undefined => readCache(file, (length) => new Uint8Array(length));

describe("quantization", () => {
  it("keeps each weight within half a step", () => {
    const row = Float32Array.from({ length: 384 }, (_, at) => Math.sin(at) * 0.3);
    const q = new Int8Array(384);
    const scale = quantizeRow(row, q);
    for (const [at, value] of row.entries())
      expect(Math.abs(value - q[at]! * scale)).toBeLessThanOrEqual(scale * 0.5001);
    expect(quantizeRow(new Float32Array(8), new Int8Array(8))).toBe(1);
  });

  it("Y43 refuses weights that are cut, unknown or other than the pinned ones", () => {
    expect(() => new Safetensors(Buffer.alloc(4))).toThrow(/too short/);
    const tooLong = Buffer.alloc(16);
    tooLong.writeBigUInt64LE(1000n);
    expect(() => new Safetensors(tooLong)).toThrow(/header/);
    writeFileSync(join(place, "model.fp16.safetensors"), "other");
    expect(() => quantizeModel(place)).toThrow(/sha256/);
  });
});

describe("the cache file", () => {
  const file = quantizeModel(resolveModelDir());

  it("Y44 holds everything, and comes back as it was written", () => {
    const vocab = file
      .subarray(HEADER_BYTES + layout().vocab)
      .toString("utf8")
      .split("\n");
    expect(vocab).toHaveLength(VOCAB);
    expect(vocab[101]).toBe("[CLS]");
    writeCache(path, file);
    const leftover = `${path}.1.abc.tmp`;
    writeFileSync(leftover, "left by a killed process");
    utimesSync(leftover, 0, 0);
    writeCache(path, file);
    expect(read(path)).toBe(file.length - HEADER_BYTES);
    expect(readdirSync(join(place, "nested"))).toEqual(["model.bin"]);
    expect(readFileSync(path).equals(file)).toBe(true);
  });

  it.each<[string, (bytes: Buffer) => unknown]>([
    ["a flipped bit", (bytes) => bytes.writeUInt8(bytes[9_000_000]! ^ 1, 9_000_000)],
    ["another magic", (bytes) => bytes.writeUInt8(bytes[0]! ^ 1, 0)],
    ["another version", (bytes) => bytes.writeUInt32LE(999, 8)],
    ["other source weights", (bytes) => bytes.writeUInt8(bytes[20]! ^ 1, 20)],
    ["a wrong length", (bytes) => bytes.writeUInt32LE(5, 12)],
  ])("Y45 is not believed with %s", (_name, damage) => {
    const bad = Buffer.from(file);
    damage(bad);
    writeFileSync(join(place, "bad.bin"), bad);
    expect(read(join(place, "bad.bin"))).toBeUndefined();
  });

  it("Y46 is not believed when missing, empty or cut short", () => {
    expect(read(join(place, "none.bin"))).toBeUndefined();
    for (const bytes of [Buffer.alloc(0), file.subarray(0, 1_000_000)]) {
      writeFileSync(join(place, "short.bin"), bytes);
      expect(read(join(place, "short.bin"))).toBeUndefined();
    }
  });
});
