import type {
  ContextBlock,
  ContextOptions,
  Detection,
  Layer,
  Recall,
  RecallOptions,
  WakeUp,
  WakeUpOptions,
  Why,
} from "../recall/index.js";
import {
  action,
  answer,
  checkGiven,
  checkOptions,
  count,
  flag,
  listOf,
  mode,
  number,
  oneOf,
  shape,
  THEN,
  text,
} from "../repo/index.js";
import { PalaceVerbs } from "./palace-verbs.js";

const LAYERS = listOf(shape({ name: text, ask: action }), "layers, each with a name and a way to ask it");

/** The verbs that read memory for an agent: what it may say, what that rests on, and what it should know beforehand. */
export class RecallVerbs extends PalaceVerbs {
  /** Does a prompt ask for something that only memory can tell? Without waiting: `detectRecall`. */
  async isRecall(prompt: string): Promise<Detection> {
    checkGiven("isRecall", { prompt }, { prompt: text });
    const { detectRecall } = await import("../recall/detect/detect-recall.js");
    return answer(detectRecall(prompt));
  }

  /** Asks the layers of memory in order and answers in quotations, or honestly that there are none. */
  async recall(question: string, options: RecallOptions & { readonly at?: string } = {}): Promise<Recall> {
    checkGiven("recall", { question }, { question: text });
    checkOptions("recall", options, {
      ...THEN,
      limit: count,
      mode,
      layers: LAYERS,
      onlyRecall: flag,
      budget: number,
      proofs: flag,
    });
    return this.read(options.at, async (tip, now) => {
      const { recall } = await import("../recall/verbs/recall.js");
      const own = await this.#layers();
      const identity = (await this.identity(options.at === undefined ? {} : { at: options.at }))?.text;
      return recall(this.context, this.engine, tip, now, question, { ...options, own, identity });
    });
  }

  /** What a sentence that was said, or a memory, rests on; what came of it; and the commands that set it right. */
  async why(said: string, options: { readonly at?: string } = {}): Promise<Why> {
    checkOptions("why", options, THEN);
    return this.read(options.at, async (tip, now) => {
      const { why } = await import("../recall/verbs/why.js");
      return why({ context: this.context, engine: this.engine, tip, now }, said);
    });
  }

  /** A block for a prompt: what is always shown, or what bears on a query; framed as data, within a budget of tokens. */
  async promptContext(options: ContextOptions & { readonly at?: string } = {}): Promise<ContextBlock> {
    checkOptions("promptContext", options, {
      ...THEN,
      query: text,
      budget: number,
      maxItems: count,
      kind: oneOf("briefing", "memory"),
      mode,
      diversity: number,
    });
    return this.read(options.at, async (tip, now) => {
      const { context } = await import("../recall/verbs/context.js");
      return context(this.context, this.engine, tip, now, options);
    });
  }

  /** What a new session should know: who it is, where the work stands, what was learnt last, what is open. */
  async wakeUp(options: WakeUpOptions = {}): Promise<WakeUp> {
    checkOptions("wakeUp", options, { ...THEN, about: text, budget: number });
    return this.read(options.at, async (tip, now) => {
      const { wakeUp } = await import("../recall/verbs/wake-up.js");
      // Notes and what waits for a person are of the present alone.
      const isNow = options.at === undefined;
      const scratch = isNow && this.context.sessionId !== undefined ? await this.scratch() : [];
      const reviews = isNow ? await this.review() : [];
      return wakeUp(this.context, this.engine, tip, now, options, { scratch, reviews });
    });
  }

  /** The layers that are there: a scratchpad where the session has a name, playbooks where folders are named. */
  async #layers(): Promise<Layer[]> {
    const [{ playbookLayer, scratchLayer }, { playbookFolders }] = await Promise.all([
      import("../recall/palace-layers.js"),
      import("../recall/playbook-files.js"),
    ]);
    return [
      ...(this.context.sessionId === undefined
        ? []
        : [scratchLayer((question) => this.searchScratch(question))]),
      ...(playbookFolders().length === 0 ? [] : [playbookLayer((task) => this.playbooks(task))]),
    ];
  }
}
