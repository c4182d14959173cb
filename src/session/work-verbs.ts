import { type BranchName, timestamp } from "../core/base/index.js";
import type { Tip } from "../core/ledger/index.js";
import type { Verdict } from "../gate/index.js";
import type {
  BranchContext,
  BranchContextOptions,
  MilestoneOptions,
  StepKind,
  TraceStep,
} from "../history/index.js";
import { requireBranch } from "../history/index.js";
import type { Draft, Made, WriteOptions } from "../repo/index.js";
import {
  action,
  checkGiven,
  checkOptions,
  count,
  nowAt,
  number,
  oneOf,
  THEN,
  text,
  tipAt,
  WRITING,
} from "../repo/index.js";
import type { BisectOptions, BisectResult } from "../search/index.js";
import { HistoryVerbs } from "./history-verbs.js";
import { writeVerbs } from "./late-verbs.js";

/** The verbs of long work on a branch: milestones, steps, what a successor has to know, and a way out of failure. */
export class WorkVerbs extends HistoryVerbs {
  /** Records a milestone of the branch: its purpose, the progress so far, and what this one adds. */
  async commit(message: string, options: MilestoneOptions & WriteOptions = {}): Promise<Verdict> {
    checkGiven("commit", { message }, { message: text });
    checkOptions("commit", options, { ...WRITING, contribution: text, decision: text, roadmap: text });
    return this.write("commit", { ...options, message }, async (draft) => {
      const { milestone } = await import("../history/verbs/milestones.js");
      return milestone(this.context, draft, message, options);
    });
  }

  /** Notes one step of the work: what was observed, thought or done. */
  async addStep(kind: StepKind, step: string, options: WriteOptions = {}): Promise<Verdict> {
    checkGiven("addStep", { kind, text: step }, { kind: text, text });
    checkOptions("addStep", options, WRITING);
    return this.write("trace", options, async (draft) =>
      (await steps()).addStep({ context: this.context, draft }, kind, step),
    );
  }

  /** The steps of a branch since it was made, oldest first. */
  async trace(
    options: { readonly branch?: string; readonly at?: string } = {},
  ): Promise<readonly TraceStep[]> {
    checkOptions("trace", options, { ...THEN, branch: text });
    return this.#on(options, async (tip, branch, now) =>
      (await steps()).trace({ context: this.context, reader: this.engine.reader, tip, now }, branch),
    );
  }

  /** What somebody who takes over a branch has to know, within a budget of tokens. */
  async branchContext(
    options: BranchContextOptions & { readonly branch?: string; readonly at?: string } = {},
  ): Promise<BranchContext> {
    checkOptions("branchContext", options, {
      ...THEN,
      branch: text,
      k: count,
      budget: number,
      view: oneOf("full", "decisions"),
    });
    return this.#on(options, async (tip, branch, now) => {
      const { branchContext } = await import("../history/verbs/branch-context.js");
      return branchContext(this.context, this.engine.reader, tip, now, branch, options);
    });
  }

  /** Which commit made a search return a text, or stop returning it. */
  async bisect(query: string, expect: string, options: BisectOptions = {}): Promise<BisectResult> {
    checkOptions("bisect", options, { ...THEN, limit: count });
    return this.read(options.at, async (tip) => {
      const { bisect } = await import("../search/verbs/bisect.js");
      return bisect(this.context, this.engine, tip, query, expect, options);
    });
  }

  /** The work of all branches as files for a folder `.GCC`, by their path in it. */
  gccFiles(): Promise<Map<string, string>> {
    return this.open(async () => {
      const { gccFiles } = await import("../history/verbs/gcc-files.js");
      return gccFiles(this.context, this.engine, timestamp(this.engine.clock()));
    });
  }

  /**
   * Runs `fn` with a session of its own; if it throws, what that session committed is taken back, and nothing else.
   */
  async guarded<T>(fn: (session: this) => Promise<T>): Promise<T> {
    checkGiven("guarded", { function: fn }, { function: action });
    return this.open(async () => {
      const outer = this.context;
      const made: Made[] = [];
      const note = (one: Made) => {
        made.push(one);
        outer.made?.(one);
      };
      const inner = this.sibling({ ...outer, made: note });
      try {
        return await fn(inner as this);
      } catch (error) {
        // What it did not wait for is on its way to the writer, and noted a moment after it is durable.
        await writeVerbs();
        await new Promise((resume) => setImmediate(resume));
        await this.engine.writer.idle();
        await new Promise((resume) => setImmediate(resume));
        for (const branch of new Set(made.map((one) => one.branch)))
          await this.#takeBack(
            branch,
            made.filter((one) => one.branch === branch),
          );
        this.engine.log(`rolled back ${made.length} commits after an error`);
        throw error;
      }
    });
  }

  #takeBack(branch: BranchName, made: readonly Made[]): Promise<object> {
    const { context } = this;
    const run = async (draft: Draft) => {
      const { replay } = await import("../history/replay.js");
      for (const { before, after } of made.toReversed()) await replay(context, draft, after, before);
      return {};
    };
    return this.aside("rollback", {}, run, branch);
  }

  #on<T>(
    { branch, at }: { readonly branch?: string; readonly at?: string },
    run: (tip: Tip, branch: BranchName, now: ReturnType<typeof timestamp>) => Promise<T>,
  ): Promise<T> {
    return this.tell(async () => {
      const name = (branch ?? this.context.branch) as BranchName;
      await requireBranch(this.engine, name);
      if (at !== undefined) {
        const { reader } = this.engine;
        const tip = await tipAt({ ...this.context, branch: name }, at);
        return run(tip, name, await nowAt({ context: this.context, reader, tip }));
      }
      return run(await this.engine.head(name), name, timestamp(this.engine.clock()));
    });
  }
}

const steps = () => import("../history/verbs/trace.js");
