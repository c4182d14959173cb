import type { Figures, FiguresOptions } from "../mind/index.js";
import { action, checkOptions, flag, THEN } from "../repo/index.js";
import { MindVerbs } from "./mind-verbs.js";

/** The verbs that count. */
export class FigureVerbs extends MindVerbs {
  /** Figures of `vaultStats`, growth over time, and how they divide by author, source and branch. */
  async figures(options: FiguresOptions & { readonly at?: string } = {}): Promise<Figures> {
    checkOptions("figures", options, { ...THEN, full: flag, onProgress: action });
    return this.read(options.at, async (tip, now) => {
      const { figures } = await import("../mind/verbs/figures.js");
      return figures(this.context, this.engine.reader, tip, now, options);
    });
  }
}
