import { MindVerbs } from "./mind-verbs.js";
import type { Figures, FiguresOptions } from "./verbs/figures.js";

/** The verbs that count. */
export class FigureVerbs extends MindVerbs {
  /** Figures of `vaultStats`, growth over time, and how they divide by author, source and branch. */
  figures(options: FiguresOptions & { readonly at?: string } = {}): Promise<Figures> {
    return this.read(options.at, async (tip, now) => {
      const { figures } = await import("./verbs/figures.js");
      return figures(this.context, this.engine.reader, tip, now, options);
    });
  }
}
