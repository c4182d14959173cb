import { type EncoderThreads, JUDGE_OUTPUTS } from "../encoder/index.js";
import { certaintyOf, type Figures, probability, shares } from "./figures.js";
import {
  type Certainty,
  type Judge,
  KINDS,
  type Lines,
  type Relation,
  type Said,
  type Signs,
  type Worth,
} from "./port.js";

type Pair = readonly [first: string, second: string];

export interface EncoderJudgeOptions {
  readonly figures: Figures;
  /** The file of the weights. */
  readonly weights: string;
  /** Threads in which the engine runs; closed with the judge when they are its own. */
  readonly threads: EncoderThreads;
  readonly ownsThreads: boolean;
}

/** Where each head's sums stand in what the model says of a pair. */
const [ANSWERS, SAME, KEEP, ASKS, KIND] = [0, 1, 4, 5, 6];
/** What one message to a thread holds at most: a batch is shared by two threads, and an abort waits for no more than this. */
const PART = 4;

/** The small trained model, run in the threads of the embedder. */
export class EncoderJudge implements Judge {
  readonly #options: EncoderJudgeOptions;
  #closed = false;

  constructor(options: EncoderJudgeOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.figures.id;
  }

  get lines(): Lines {
    return this.#options.figures.lines;
  }

  async answers(question: string, memories: readonly string[], signal?: AbortSignal): Promise<number[]> {
    const pairs = memories.map((memory): Pair => [question, memory]);
    const said = await this.#said(pairs, signal);
    return said.map((sums) => probability(sums[ANSWERS]!, this.#options.figures.answers));
  }

  async relations(belief: string, olds: readonly string[], signal?: AbortSignal): Promise<Relation[]> {
    const pairs = olds.map((old): Pair => [belief, old]);
    const said = await this.#said(pairs, signal);
    return said.map((sums) => {
      const [same, renews, beside] = shares([...sums.slice(SAME, SAME + 3)], this.#options.figures.relation);
      return { same: same!, renews: renews!, beside: beside! };
    });
  }

  async worths(said: readonly Said[], signal?: AbortSignal): Promise<Worth[]> {
    const pairs = said.map((one): Pair => [one.text, contextOf(one)]);
    return (await this.#said(pairs, signal)).map((sums) => {
      const kinds = sums.slice(KIND);
      return {
        keep: probability(sums[KEEP]!, this.#options.figures.keep),
        kind: KINDS[kinds.indexOf(Math.max(...kinds))]!,
      };
    });
  }

  async asks(prompt: string, signal?: AbortSignal): Promise<number> {
    const [sums] = await this.#said([[prompt, ""]], signal);
    return probability(sums![ASKS]!, this.#options.figures.asks);
  }

  certainty(signs: Signs): Certainty {
    return certaintyOf(signs, this.#options.figures);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#options.ownsThreads) await this.#options.threads.close();
  }

  /** The sums of all heads, for each pair. */
  async #said(pairs: readonly Pair[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const { threads, weights } = this.#options;
    try {
      if (this.#closed) throw new Error("closed");
      const jobs = [];
      for (let at = 0; at < pairs.length; at += PART)
        jobs.push({ pairs: pairs.slice(at, at + PART), weights });
      const numbers = await threads.run(jobs, "urgent", signal);
      return numbers.flatMap((part) => {
        const each = [];
        for (let at = 0; at < part.length; at += JUDGE_OUTPUTS)
          each.push(part.subarray(at, at + JUDGE_OUTPUTS));
        return each;
      });
    } catch (error) {
      throw signal?.aborted ? signal.reason : await this.#failure(error);
    }
  }

  /** What went wrong, as callers see it. Loaded late, as errors come with half of a session. */
  async #failure(error: unknown): Promise<Error> {
    const { PalimpsestError } = await import("../core/base/index.js");
    if (this.#closed || this.#options.threads.isClosed)
      return new PalimpsestError("CLOSED", "The judge is closed.");
    const why = error instanceof Error ? error.message : String(error);
    return new PalimpsestError("JUDGE_UNAVAILABLE", `The judge cannot be used: ${why}`, { cause: error });
  }
}

/** So much of what was said before is read beside a sentence. */
const BEFORE = 120;
const MESSAGE_BEFORE = 160;

/** The second text that the judge reads beside a sentence: who says it, after what. `train/data.py` makes the same. */
function contextOf({ who, before = "", after }: Said): string {
  if (who === undefined) return "";
  const said = `${who}: ${ending(before, BEFORE)}`.trim();
  return after ? `${said} | ${after.who}: ${ending(after.text, MESSAGE_BEFORE)}` : said;
}

/** The end of a text, by characters as Python counts them: none is cut in two. */
const ending = (text: string, length: number): string => Array.from(text.trim()).slice(-length).join("");
