import type { EncoderThreads } from "../encoder/index.js";
import { type JudgeChoice, loadJudge } from "./load.js";
import type { Judge } from "./port.js";

/** The judge of an open store; nothing of it is loaded before somebody asks. */
export class Judging {
  readonly #choice: JudgeChoice | undefined;
  readonly #threads: () => Promise<EncoderThreads | undefined>;
  #loading: Promise<Judge | undefined> | undefined;

  /** It runs in the embedder's threads, if those are there when it is first asked. */
  constructor(choice: JudgeChoice | undefined, threads: () => Promise<EncoderThreads | undefined>) {
    this.#choice = choice;
    this.#threads = threads;
  }

  /** The judge, loaded at the first call; undefined when there is none. A failure is not kept. */
  async judge(): Promise<Judge | undefined> {
    this.#loading ??= this.#load();
    try {
      return await this.#loading;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  async #load(): Promise<Judge | undefined> {
    return loadJudge(this.#choice, { threads: await this.#threads() });
  }

  async close(): Promise<void> {
    const judge = await this.#loading?.catch(() => undefined);
    // One that the caller made is the caller's to close.
    if (judge !== this.#choice) await judge?.close();
  }
}
