import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { HEADER_BYTES, readCache } from "./cache.js";
import { CACHE_FILE, HIDDEN, MAX_TOKENS } from "./config.js";
import { BATCH_TOKENS, createMemory, MiniLmModel, payloadView, vocabularyView } from "./model.js";
import type { Job, SharedWeights, WorkerInput, WorkerOutput } from "./protocol.js";
import { WordPieceTokenizer } from "./tokenizer.js";

const port = parentPort;
if (!port) throw new Error("This is the program of a worker thread.");
const send = (message: WorkerOutput, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

const input = workerData as WorkerInput;
const { model, shared } = input.shared ? modelOver(input.shared) : await loadWeights();
const tokenizer = new WordPieceTokenizer(vocabularyView(shared.memory, shared.payloadBytes));
port.on("message", ({ texts }: Job) => {
  const vectors = embed(texts);
  send({ type: "result", vectors }, [vectors.buffer as ArrayBuffer]);
});
send({ type: "ready", shared });

interface Loaded {
  readonly shared: SharedWeights;
  readonly model: MiniLmModel;
}

function modelOver(shared: SharedWeights): Loaded {
  return { shared, model: new MiniLmModel(shared.memory, shared.payloadBytes, input.index) };
}

/** The model is made before its weights are there: its code is optimised while they are read. */
function emptyModel(payloadBytes: number): Loaded {
  return modelOver({ memory: createMemory(payloadBytes, input.maxWorkers), payloadBytes });
}

/** The cache if it is sound, else a fresh quantization (used also where it cannot be written). */
async function loadWeights(): Promise<Loaded> {
  const path = join(input.cacheDir, CACHE_FILE);
  let loaded: Loaded | undefined;
  const cached = readCache(path, (length) => {
    loaded = emptyModel(length);
    return payloadView(loaded.shared.memory, length);
  });
  if (cached !== undefined && loaded) return loaded;
  send({ type: "preparing" });
  const [{ quantizeModel }, { writeCache }] = await Promise.all([
    import("./quantize.js"),
    import("./write-cache.js"),
  ]);
  const file = quantizeModel(input.modelDir);
  try {
    writeCache(path, file);
  } catch {
    // A read-only or full disk costs the next start its speed, and nothing else.
  }
  const payload = file.subarray(HEADER_BYTES);
  loaded = emptyModel(payload.length);
  payloadView(loaded.shared.memory, payload.length).set(payload);
  return loaded;
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
