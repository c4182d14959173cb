import { type BranchName, timestamp } from "../base/index.js";
import type { Verdict } from "../gate/index.js";
import type { Tip } from "../ledger/index.js";
import { HistoryVerbs } from "./history-verbs.js";
import { replay } from "./replay.js";
import type { WriteOptions } from "./session-core.js";
import { type BranchContext, type BranchContextOptions, branchContext } from "./verbs/branch-context.js";
import { requireBranch } from "./verbs/branches.js";
import { gccFiles } from "./verbs/gcc-files.js";
import { type MilestoneOptions, milestone } from "./verbs/milestones.js";
import { addStep, type StepKind, type TraceStep, trace } from "./verbs/trace.js";

/** The verbs of long work on a branch: milestones, steps, what a successor has to know, and a way out of failure. */
export class WorkVerbs extends HistoryVerbs {
  /** Records a milestone of the branch: its purpose, the progress so far, and what this one adds. */
  commit(message: string, options: MilestoneOptions & WriteOptions = {}): Promise<Verdict> {
    return this.write("commit", { ...options, message }, (draft) =>
      milestone(this.context, draft, message, options),
    );
  }

  /** Notes one step of the work: what was observed, thought or done. */
  addStep(kind: StepKind, text: string, options: WriteOptions = {}): Promise<Verdict> {
    return this.write("trace", options, (draft) => addStep(this.context, draft, kind, text));
  }

  /** The steps of a branch since it was made, oldest first. */
  trace(options: { readonly branch?: string } = {}): Promise<TraceStep[]> {
    return this.#on(options.branch, (tip, branch, now) =>
      trace(this.context, this.engine.reader, tip, now, branch),
    );
  }

  /** What somebody who takes over a branch has to know, within a budget of tokens. */
  branchContext(options: BranchContextOptions & { readonly branch?: string } = {}): Promise<BranchContext> {
    return this.#on(options.branch, (tip, branch, now) =>
      branchContext(this.context, this.engine.reader, tip, now, branch, options),
    );
  }

  /** The work of all branches as files for a folder `.GCC`, by their path in it. */
  gccFiles(): Promise<Map<string, string>> {
    return this.open(() => gccFiles(this.context, this.engine, timestamp(this.engine.clock())));
  }

  /**
   * Runs `fn` with a session of its own; if it throws, what that session committed is taken back, and nothing else.
   */
  async guarded<T>(fn: (session: this) => Promise<T>): Promise<T> {
    return this.open(async () => {
      const made: Tip[] = [];
      const context = { ...this.context, made: (tip: Tip) => void made.push(tip) };
      const inner = this.sibling(context);
      try {
        return await fn(inner as this);
      } catch (error) {
        if (made.length > 0) await this.#takeBack(made);
        this.engine.log(`rolled back ${made.length} commits after an error`);
        throw error;
      }
    });
  }

  async #takeBack(made: readonly Tip[]): Promise<void> {
    const { reader } = this.engine;
    await this.aside("rollback", {}, async (draft) => {
      for (const tip of made.toReversed()) {
        const parent = tip.commit.parents[0];
        if (parent !== undefined) await replay(this.context, draft, tip, await reader.tip(parent));
      }
      return {};
    });
  }

  #on<T>(
    branch: string | undefined,
    run: (tip: Tip, branch: BranchName, now: ReturnType<typeof timestamp>) => Promise<T>,
  ): Promise<T> {
    return this.open(async () => {
      const name = (branch ?? this.context.branch) as BranchName;
      await requireBranch(this.engine, name);
      return run(await this.engine.head(name), name, timestamp(this.engine.clock()));
    });
  }
}
