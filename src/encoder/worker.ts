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
const loaded = input.shared ? modelOver(input.shared) : fromCache();
if (loaded) serve(loaded);
else
  quantized()
    .then(serve)
    .catch((error) => {
      // Ends this thread, which is how those who wait are told; a program may take rejections for mere warnings.
      setImmediate(() => {
        throw error;
      });
    });

interface Loaded {
  readonly shared: SharedWeights;
  readonly model: MiniLmModel;
}

function serve({ shared, model }: Loaded): void {
  const tokenizer = new WordPieceTokenizer(vocabularyView(shared.memory, shared.payloadBytes));
  port?.on("message", ({ texts }: Job) => {
    const vectors = embed(texts, tokenizer, model);
    send({ type: "result", vectors }, [vectors.buffer as ArrayBuffer]);
  });
  send({ type: "ready", shared });
}

function modelOver(shared: SharedWeights): Loaded {
  return { shared, model: new MiniLmModel(shared.memory, shared.payloadBytes, input.index) };
}

/** The model is made before its weights are there: its code is optimised while they are read. */
function emptyModel(payloadBytes: number): Loaded {
  return modelOver({ memory: createMemory(payloadBytes, input.maxWorkers), payloadBytes });
}

/** Undefined when there is no sound cache. */
function fromCache(): Loaded | undefined {
  let loaded: Loaded | undefined;
  const length = readCache(join(input.cacheDir, CACHE_FILE), (payloadBytes) => {
    loaded = emptyModel(payloadBytes);
    return payloadView(loaded.shared.memory, payloadBytes);
  });
  return length === undefined ? undefined : loaded;
}

/** A fresh quantization, used also where it cannot be kept. */
async function quantized(): Promise<Loaded> {
  send({ type: "preparing" });
  const { quantizeModel } = await import("./quantize.js");
  const { writeCache } = await import("./write-cache.js");
  const file = quantizeModel(input.modelDir);
  try {
    writeCache(join(input.cacheDir, CACHE_FILE), file);
  } catch {
    // A read-only or full disk costs the next start its speed, and nothing else.
  }
  const payload = file.subarray(HEADER_BYTES);
  const loaded = emptyModel(payload.length);
  payloadView(loaded.shared.memory, payload.length).set(payload);
  return loaded;
}

/** Texts run together in batches of so many tokens, without padding between them. */
function embed(texts: readonly string[], tokenizer: WordPieceTokenizer, model: MiniLmModel): Float32Array {
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
