import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { HEADER_BYTES, readCache } from "./cache.js";
import { CACHE_FILE, HIDDEN, JUDGE_OUTPUTS, MAX_TOKENS } from "./config.js";
import { BATCH_TOKENS, createMemory, Engine, payloadView, vocabularyView } from "./engine.js";
import { JudgeModel, pairIds } from "./judge-model.js";
import { loadJudgeWeights } from "./judge-weights.js";
import { MiniLmModel } from "./model.js";
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
  readonly engine: Engine;
}

function serve({ shared, engine }: Loaded): void {
  const tokenizer = new WordPieceTokenizer(vocabularyView(shared.memory, shared.payloadBytes));
  const embedder = new MiniLmModel(engine);
  let known: JudgeModel | undefined;
  const judge = (weights: string): JudgeModel => {
    if (known) return known;
    loadJudgeWeights(shared.memory, shared.payloadBytes, weights);
    known = new JudgeModel(engine);
    return known;
  };
  port?.on("message", (job: Job) => {
    let numbers: Float32Array;
    if ("texts" in job) {
      const texts = job.texts.map((text) => tokenizer.encode(text, MAX_TOKENS));
      numbers = inBatches(texts, HIDDEN, (ids) => ids.length, embedder);
    } else {
      const pairs = job.pairs.map(([first, second]) => pairIds(tokenizer, first, second));
      numbers = inBatches(pairs, JUDGE_OUTPUTS, ({ ids }) => ids.length, judge(job.weights));
    }
    send({ type: "result", numbers }, [numbers.buffer as ArrayBuffer]);
  });
  send({ type: "ready", shared });
}

function modelOver(shared: SharedWeights): Loaded {
  return { shared, engine: new Engine(shared.memory, shared.payloadBytes, input.index) };
}

/** The engine is made before its weights are there: its code is optimised while they are read. */
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
function inBatches<Text>(
  texts: readonly Text[],
  width: number,
  lengthOf: (text: Text) => number,
  model: { forward(batch: readonly Text[], out: Float32Array, outAt: number): void },
): Float32Array {
  const numbers = new Float32Array(texts.length * width);
  let [first, tokens] = [0, 0];
  for (let at = 0; at <= texts.length; at++) {
    const length = at < texts.length ? lengthOf(texts[at]!) : 0;
    if (at < texts.length && tokens + length <= BATCH_TOKENS) {
      tokens += length;
      continue;
    }
    if (at > first) model.forward(texts.slice(first, at), numbers, first * width);
    [first, tokens] = [at, length];
  }
  return numbers;
}
