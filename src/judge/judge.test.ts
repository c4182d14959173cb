import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { testWorker } from "../encoder/_worker.js";
import { EncoderThreads } from "../encoder/index.js";
import { miniLmEmbedder } from "../search/embed/minilm.js";
import { threadsOf } from "../search/index.js";
import { certaintyOf, type Figures, sureness } from "./figures.js";
import { type Judge, type LoadJudgeOptions, loadJudge } from "./index.js";

const { directory, usual } = testWorker();
const make = async (options: LoadJudgeOptions = {}): Promise<Judge> =>
  (await loadJudge("small", { ...usual, ...options }))!;
const judge = await make();
afterAll(() => judge.close());

const MODELS = join(import.meta.dirname, "../../models/judge");
const WEIGHTS = join(MODELS, "judge.int8.bin");
const figures = JSON.parse(readFileSync(join(MODELS, "judge.json"), "utf8")) as Figures;

interface Golden {
  readonly first: string;
  readonly second: string;
  readonly said: readonly number[];
}
const golden = readFileSync(join(import.meta.dirname, "_golden.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Golden);

describe("the small judge", () => {
  it("JU1 says what its float model says", async () => {
    const threads = new EncoderThreads(usual);
    const pairs = golden.map(({ first, second }) => [first, second] as const);
    const [numbers] = await threads.run([{ pairs, weights: WEIGHTS }], "urgent");
    await threads.close();
    const width = golden[0]!.said.length;
    const off = golden.flatMap(({ said }, row) =>
      said.map((sum, at) => Math.abs(sum - numbers![row * width + at]!)),
    );
    expect(Math.max(...off)).toBeLessThan(0.35);
    expect(off.reduce((a, b) => a + b) / off.length).toBeLessThan(0.05);
  });

  it("JU2 says the same of a pair in every batch and thread", async () => {
    const memories = golden.map(({ second }) => second);
    const together = await judge.answers("Where does Marco live?", [...memories, ...memories.toReversed()]);
    const other = await make();
    for (const [at, memory] of memories.entries()) {
      const [alone] = await other.answers("Where does Marco live?", [memory]);
      expect([together[at], together[together.length - 1 - at]]).toEqual([alone, alone]);
    }
    await other.close();
  });

  it("JU3 judges whatever texts there are", async () => {
    const odd = ["", "   \n", "🎉", "漢字かな", "\u0000", "a\ud800b", "x".repeat(5000), "[MASK] [CLS]"];
    for (const text of odd)
      for (const likely of [...(await judge.answers(text, odd)), await judge.asks(text)])
        expect(likely >= 0 && likely <= 1).toBe(true);
    const long = "alpha beta gamma ".repeat(100);
    const [a, b] = await judge.answers("who?", [long, `${long} another ending`]);
    expect(a).toBe(b);
    const [c] = await judge.answers(`${long} another ending`, ["short"]);
    expect((await judge.answers(long, ["short"]))[0]).toBe(c);
  });

  it("JU4 runs in the embedder's threads, and closes only its own", async () => {
    const embedder = miniLmEmbedder(usual);
    const [before] = await embedder.embed(["who?"], "query");
    const guest = await make({ threads: threadsOf(embedder) });
    expect(await guest.answers("Who is it?", ["It is Ada."])).toEqual(
      await judge.answers("Who is it?", ["It is Ada."]),
    );
    await guest.close();
    expect((await embedder.embed(["who?"], "query"))[0]).toEqual(before);
    await embedder.close();
  });

  it("JU8 shares between three relations", async () => {
    for (const { same, renews, beside } of await judge.relations("Max moved to Rome.", [
      "Max lives in Bari.",
    ]))
      expect(same + renews + beside).toBeCloseTo(1, 5);
    const [worth] = await judge.worths([{ text: "We use tabs, always.", who: "user" }]);
    expect(worth).toMatchObject({ keep: expect.any(Number), kind: expect.any(String) });
  });

  it("JU7 after close and after an abort", async () => {
    const short = await make();
    const reason = new Error("enough");
    const stop = new AbortController();
    const aborted = short.answers("who?", ["x"], stop.signal);
    stop.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(await short.answers("who?", ["x"])).toHaveLength(1);
    const under = short.answers("who?", ["x"]);
    const refused = expect(under).rejects.toMatchObject({ code: "CLOSED" });
    await short.close();
    await refused;
    await expect(short.asks("who?")).rejects.toMatchObject({ code: "CLOSED" });
    await short.close();
  });
});

describe("choosing a judge", () => {
  it("JU5 by name, by $PAL_JUDGE, or an own one", async () => {
    expect(await loadJudge("none")).toBeUndefined();
    expect(await loadJudge(judge)).toBe(judge);
    await expect(loadJudge("large")).rejects.toMatchObject({ code: "INVALID_VALUE" });
    const before = process.env.PAL_JUDGE;
    process.env.PAL_JUDGE = "none";
    try {
      expect(await loadJudge()).toBeUndefined();
      delete process.env.PAL_JUDGE;
      const usualOne = await loadJudge(undefined, usual);
      expect(usualOne!.id).toBe(figures.id);
      await usualOne!.close();
    } finally {
      if (before === undefined) delete process.env.PAL_JUDGE;
      else process.env.PAL_JUDGE = before;
    }
  });

  it("JU6 weights that are not sound are JUDGE_UNAVAILABLE", async () => {
    const folder = join(directory, "models");
    mkdirSync(folder);
    await expect(make({ folder })).rejects.toMatchObject({ code: "JUDGE_UNAVAILABLE" });
    copyFileSync(join(MODELS, "judge.json"), join(folder, "judge.json"));
    const good = readFileSync(WEIGHTS);
    const damaged = Buffer.from(good);
    damaged[5_000_000]! ^= 1;
    const older = Buffer.from(good);
    older.writeUInt32LE(0, 8);
    for (const bytes of [undefined, Buffer.alloc(0), good.subarray(0, 1_000_000), damaged, older]) {
      if (bytes) writeFileSync(join(folder, "judge.int8.bin"), bytes);
      const broken = await make({ folder });
      for (let round = 0; round < 2; round++)
        await expect(broken.asks("who?")).rejects.toMatchObject({ code: "JUDGE_UNAVAILABLE" });
      await broken.close();
    }
  });
});

it("JU9 certainty grows with how likely the answer is", () => {
  const said = Array.from({ length: 101 }, (_, at) =>
    certaintyOf({ answers: at / 100, next: 0.2, cosine: 0.5, words: 0.5, unseen: 0 }, figures),
  );
  const order = ["nothing", "possible", "certain"];
  expect(said.map((one) => order.indexOf(one))).toEqual(said.map((one) => order.indexOf(one)).toSorted());
  expect(new Set(said).size).toBe(3);
  const at = { answers: 0.7, next: 0.1, words: 0.5, unseen: 0 };
  const sum = sureness(at, figures);
  const lines = (nothing: number, certain: number): Figures => ({
    ...figures,
    sure: { ...figures.sure, nothing, certain },
  });
  expect(certaintyOf(at, lines(sum - 2, sum))).toBe("certain");
  expect(certaintyOf(at, lines(sum, sum + 1))).toBe("possible");
  expect(certaintyOf(at, lines(sum + 1, sum + 2))).toBe("nothing");
});
