import { weakest } from "../core/ledger/index.js";
import type { Context } from "../repo/index.js";
import { conflictText, type Decision, isOpen, resolveByRules } from "./conflict.js";
import { ledgerOf } from "./mind-costs.js";
import { ask } from "./model/ask.js";
import { type Cost, FREE, isModelFailure, sumCosts } from "./model/cost.js";
import type { Model } from "./model/port.js";
import { type Step, sideOf } from "./plan-facts.js";
import { CONFLICT } from "./prompts/conflict-v1.js";

/** Rules first; a model only for what they leave open; a person for the rest. */
export async function settleConflicts(
  context: Context,
  steps: readonly Step[],
  model: Model | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly steps: Step[]; readonly cost: Cost; readonly notes: string[] }> {
  const { engine } = context;
  let cost = FREE;
  const notes: string[] = [];
  const settled: Step[] = [];
  for (const step of steps) {
    if (step.action !== "conflict") {
      settled.push(step);
      continue;
    }
    const { fact, targets } = step;
    const old = sideOf(targets[0]!);
    const trust = weakest(context.trust, "agent");
    const isChange = fact.op === "modify";
    const fresh = {
      text: fact.text,
      trust,
      confidence: fact.confidence,
      isCanon: false,
      category: fact.category,
      isChange,
    };
    let resolution = resolveByRules(old, fresh);
    if (model && isOpen(resolution))
      try {
        const asked = await ask(model, ledgerOf(engine), CONFLICT, conflictText(old, fresh), signal);
        cost = sumCosts(cost, asked.cost);
        resolution = asked.value;
      } catch (error) {
        if (!isModelFailure(error)) throw error;
        notes.push(`${error.message} The conflict waits for a person.`);
      }
    settled.push({ ...step, resolution, ...decided(resolution) });
  }
  return { steps: settled, cost, notes };
}

/** What a decision means; what a person has to decide stays a conflict. */
function decided({ decision, reason }: Decision): {
  readonly action: Step["action"];
  readonly reason: string;
} {
  if (decision === "use_new") return { action: "update", reason };
  if (decision === "both_valid") return { action: "remember", reason };
  return decision === "keep_old" ? { action: "none", reason } : { action: "conflict", reason };
}
