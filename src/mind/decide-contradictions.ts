import type { Engine } from "../repo/index.js";
import { conflictText, type Decision, isOpen, resolveByRules, type Side } from "./conflict.js";
import type { Belief, Finding } from "./findings.js";
import { ledgerOf, modelOf } from "./mind-costs.js";
import { ask } from "./model/ask.js";
import { type Cost, FREE, isModelFailure, sumCosts } from "./model/cost.js";
import type { Model } from "./model/port.js";
import { CONFLICT } from "./prompts/conflict-v1.js";

/** Which of two beliefs holds, as far as rules or a model can tell; a person has the last word either way. */
export async function decideContradictions(
  engine: Engine,
  findings: readonly Finding[],
  beliefs: readonly Belief[],
  options: { readonly dryRun?: boolean; readonly model?: Model | "none"; readonly signal?: AbortSignal },
): Promise<{ readonly decisions: Map<Finding, Decision>; readonly cost: Cost; readonly notes: string[] }> {
  const model = options.dryRun ? undefined : modelOf(engine, options.model);
  const known = new Map(beliefs.map((belief) => [JSON.stringify([belief.scope, belief.id]), belief]));
  const decisions = new Map<Finding, Decision>();
  const notes: string[] = [];
  let cost: Cost = FREE;
  for (const finding of findings) {
    if (finding.kind !== "contradiction") continue;
    const [old, fresh] = finding.ids.map((id) => known.get(JSON.stringify([finding.scope, id])));
    if (!old || !fresh) continue;
    let decision = resolveByRules(sideOf(old), sideOf(fresh));
    if (model && isOpen(decision))
      try {
        const asked = await ask(
          model,
          ledgerOf(engine),
          CONFLICT,
          conflictText(sideOf(old), sideOf(fresh)),
          options.signal,
        );
        cost = sumCosts(cost, asked.cost);
        decision = asked.value;
      } catch (error) {
        if (!isModelFailure(error)) throw error;
        notes.push(`${error.message} The conflict waits for a person.`);
      }
    decisions.set(finding, decision);
  }
  return { decisions, cost, notes };
}

const sideOf = ({ text, trust, confidence, tier, category, updatedAt }: Belief): Side => ({
  ...{ text, trust, confidence, category },
  isCanon: tier === "canon",
  time: updatedAt,
});
