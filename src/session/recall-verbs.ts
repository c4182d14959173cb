import { type Detection, detectRecall } from "../recall/index.js";
import { PalaceVerbs } from "./palace-verbs.js";
import type { Recall, RecallOptions } from "./verbs/recall.js";

/** The verbs that read memory for an agent: what it may say, what that rests on, and what it should know beforehand. */
export class RecallVerbs extends PalaceVerbs {
  /** Does a prompt ask for something that only memory can tell? */
  isRecall(prompt: string): Detection {
    return detectRecall(prompt);
  }

  /** Asks the layers of memory in order and answers in quotations, or honestly that there are none. */
  recall(question: string, options: RecallOptions & { readonly at?: string } = {}): Promise<Recall> {
    return this.read(options.at, async (tip, now) => {
      const { recall } = await import("./verbs/recall.js");
      return recall(this.context, this.engine, tip, now, question, { ...options, own: [] });
    });
  }
}
