import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { HEADER_BYTES, readCache, writeCache } from "./cache.js";
import { CACHE_FILE, HIDDEN, MAX_TOKENS } from "./config.js";
import { BATCH_TOKENS, createMemory, MiniLmModel, payloadView, readVocab } from "./model.js";
import type { Job, SharedWeights, WorkerInput, WorkerOutput } from "./protocol.js";
import { quantizeModel } from "./quantize.js";
import { resolveModelDir } from "./safetensors.js";
import { WordPieceTokenizer } from "./tokenizer.js";

const port = parentPort;
if (!port) throw new Error("This is the program of a worker thread.");
const send = (message: WorkerOutput, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

const input = workerData as WorkerInput;
const weights = input.shared ?? loadWeights();
const model = new MiniLmModel(weights.memory, weights.payloadBytes, input.index);
const tokenizer = new WordPieceTokenizer(readVocab(weights.memory, weights.payloadBytes));
port.on("message", ({ texts }: Job) => {
  const vectors = embed(texts);
  send({ type: "result", vectors }, [vectors.buffer as ArrayBuffer]);
});
send({ type: "ready", shared: weights });

/** The cache if it is sound, else a fresh quantization (used also where it cannot be written). */
function loadWeights(): SharedWeights {
  const path = join(input.cacheDir, CACHE_FILE);
  let memory: WebAssembly.Memory | undefined;
  const cached = readCache(path, (length) => {
    memory = createMemory(length, input.maxWorkers);
    return payloadView(memory, length);
  });
  if (cached !== undefined && memory) return { memory, payloadBytes: cached };
  send({ type: "preparing" });
  const file = quantizeModel(input.modelDir ?? resolveModelDir());
  try {
    writeCache(path, file);
  } catch {
    // A read-only or full disk costs the next start its speed, and nothing else.
  }
  const payloadBytes = file.length - HEADER_BYTES;
  memory = createMemory(payloadBytes, input.maxWorkers);
  payloadView(memory, payloadBytes).set(file.subarray(HEADER_BYTES));
  return { memory, payloadBytes };
}

/** Texts run together in batches of so many tokens, without padding between them. */
function embed(texts: readonly string[]): Float32Array {
  const vectors = new Float32Array(texts.length * HIDDEN);
  let batch: number[][] = [];
  let tokens = 0;
  let done = 0;
  const flush = (): void => {
    if (batch.length === 0) return;
    model.forward(batch, vectors, done * HIDDEN);
    done += batch.length;
    batch = [];
    tokens = 0;
  };
  for (const text of texts) {
    const ids = tokenizer.encode(text, MAX_TOKENS);
    if (tokens + ids.length > BATCH_TOKENS) flush();
    batch.push(ids);
    tokens += ids.length;
  }
  flush();
  return vectors;
}
