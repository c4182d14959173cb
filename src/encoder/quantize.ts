import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HEADER_BYTES, writeHeader } from "./cache.js";
import {
  FFN,
  HIDDEN,
  MAX_TOKENS,
  TOKENIZER_FILE,
  TOKENIZER_SHA256,
  VOCAB,
  WEIGHTS_FILE,
  WEIGHTS_SHA256,
} from "./config.js";
import { type LinearOffsets, layout, type NormOffsets } from "./layout.js";
import { resolveModelDir, Safetensors } from "./safetensors.js";

/** Reads the fp16 model and answers the whole cache file. Takes a second or two, once per machine. */
export function quantizeModel(modelDir = resolveModelDir()): Buffer {
  const source = new Safetensors(checkedRead(join(modelDir, WEIGHTS_FILE), WEIGHTS_SHA256));
  const vocab = vocabulary(checkedRead(join(modelDir, TOKENIZER_FILE), TOKENIZER_SHA256));
  const map = layout();
  const file = Buffer.alloc(HEADER_BYTES + map.vocab + vocab.length);
  const payload = file.subarray(HEADER_BYTES);
  const put = (offset: number, data: Float32Array | Int8Array): void => {
    payload.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
  };
  const putLinear = (to: LinearOffsets, names: readonly string[], n: number, k: number): void => {
    const rows = new Float32Array(n * k);
    const bias = new Float32Array(n);
    const part = n / names.length;
    names.forEach((name, at) => {
      rows.set(source.f32(`${name}.weight`, part * k), at * part * k);
      bias.set(source.f32(`${name}.bias`, part), at * part);
    });
    const { q, scale } = quantizeRows(rows, n, k);
    put(to.w, packTiles(q, n, k));
    put(to.scale, scale);
    put(to.bias, bias);
  };
  const putNorm = (to: NormOffsets, name: string): void => {
    put(to.gain, source.f32(`${name}.weight`, HIDDEN));
    put(to.bias, source.f32(`${name}.bias`, HIDDEN));
  };

  const table = quantizeRows(source.f32("embeddings.word_embeddings.weight", VOCAB * HIDDEN), VOCAB, HIDDEN);
  put(map.word, table.q);
  put(map.wordScale, table.scale);
  put(map.position, positions(source));
  putNorm(map.norm, "embeddings.LayerNorm");
  map.layers.forEach((to, l) => {
    const name = `encoder.layer.${l}`;
    const heads = ["query", "key", "value"].map((part) => `${name}.attention.self.${part}`);
    putLinear(to.qkv, heads, 3 * HIDDEN, HIDDEN);
    putLinear(to.out, [`${name}.attention.output.dense`], HIDDEN, HIDDEN);
    putNorm(to.norm1, `${name}.attention.output.LayerNorm`);
    putLinear(to.up, [`${name}.intermediate.dense`], FFN, HIDDEN);
    putLinear(to.down, [`${name}.output.dense`], HIDDEN, FFN);
    putNorm(to.norm2, `${name}.output.LayerNorm`);
  });
  payload.set(vocab, map.vocab);
  writeHeader(file);
  return file;
}

/** Symmetric int8, one scale per row. Each weight comes back within half a step. Clipping outliers was tried and gains nothing at 8 bits. */
export function quantizeRow(row: Float32Array, out: Int8Array): number {
  let max = 0;
  for (let at = 0; at < row.length; at++) max = Math.max(max, Math.abs(row[at]!));
  const scale = Math.fround(max / 127) || 1;
  for (let at = 0; at < row.length; at++)
    out[at] = Math.max(-127, Math.min(127, Math.round(row[at]! / scale)));
  return scale;
}

function quantizeRows(rows: Float32Array, n: number, k: number): { q: Int8Array; scale: Float32Array } {
  const q = new Int8Array(n * k);
  const scale = new Float32Array(n);
  for (let r = 0; r < n; r++)
    scale[r] = quantizeRow(rows.subarray(r * k, (r + 1) * k), q.subarray(r * k, (r + 1) * k));
  return { q, scale };
}

/** [n][k] -> [n/8][k/2][8][2], the order in which the `linear` kernel reads weights. */
function packTiles(q: Int8Array, n: number, k: number): Int8Array {
  const out = new Int8Array(n * k);
  let at = 0;
  for (let n0 = 0; n0 < n; n0 += 8)
    for (let k0 = 0; k0 < k; k0 += 2)
      for (let c = 0; c < 8; c++) {
        const from = (n0 + c) * k + k0;
        out[at++] = q[from]!;
        out[at++] = q[from + 1]!;
      }
  return out;
}

/** There is one segment only, so its embedding is folded into the positions. */
function positions(source: Safetensors): Float32Array {
  const all = source.f32("embeddings.position_embeddings.weight", 512 * HIDDEN);
  const segment = source.f32("embeddings.token_type_embeddings.weight", 2 * HIDDEN);
  return all.slice(0, MAX_TOKENS * HIDDEN).map((value, at) => value + segment[at % HIDDEN]!);
}

function vocabulary(tokenizer: Buffer): Buffer {
  const { model } = JSON.parse(tokenizer.toString("utf8")) as { model: { vocab: Record<string, number> } };
  const words: string[] = new Array<string>(VOCAB).fill("");
  for (const [word, id] of Object.entries(model.vocab)) words[id] = word;
  return Buffer.from(words.join("\n"), "utf8");
}

function checkedRead(path: string, sha256: string): Buffer {
  const bytes = readFileSync(path);
  const actual = createHash("sha256").update(bytes).digest("hex");
  if (actual !== sha256) throw new Error(`${path}: sha256 ${actual}, expected ${sha256}`);
  return bytes;
}
