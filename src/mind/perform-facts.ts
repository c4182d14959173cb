import type { MemoryInput, Verdict } from "../gate/index.js";
import type { Transaction } from "../memories/index.js";
import type { Context } from "../repo/index.js";
import type { Fact } from "./fact.js";
import type { Step } from "./plan-facts.js";

/** The verdict of the last write of each step. */
export async function performSteps(
  tx: Transaction,
  steps: readonly Step[],
  context: Context,
): Promise<(Verdict | undefined)[]> {
  const verdicts: (Verdict | undefined)[] = [];
  for (const step of steps) verdicts.push(await performed(tx, step, context));
  return verdicts;
}

async function performed(tx: Transaction, step: Step, context: Context): Promise<Verdict | undefined> {
  const { action, fact, targets } = step;
  let last: Verdict | undefined;
  if (action === "forget")
    for (const { id, scope } of targets)
      last = await tx.forget(id, { scope, reason: `Said: ${fact.evidence}` });
  else if (action === "observe")
    for (const { id, scope } of targets) last = await tx.observe(id, { scope, evidence: fact.evidence });
  else if (action === "update" || action === "conflict") {
    const [{ id, scope }] = targets as [Step["targets"][number]];
    const { lifetime: _, ...change } = inputOf(fact, context);
    last = await tx.update(id, change, { scope });
  } else if (action === "remember") last = await tx.remember(besides(inputOf(fact, context), step));
  return last;
}

function inputOf(fact: Fact, { sessionId }: Context): MemoryInput {
  const { text, triple, confidence, sensitivity, evidence, turn, category } = fact;
  // Without a session there is nothing that could end; then it lives for a day.
  const lifetime = fact.lifetime === "session" && sessionId === undefined ? "temporary" : fact.lifetime;
  return {
    ...{ text, triple, confidence, sensitivity, evidence, turn, source: "extraction", lifetime },
    ...(lifetime === "temporary" && { ttl: 86_400_000 }),
    ...(category !== undefined && { category }),
  };
}

/** Where both hold, what tells them apart becomes part of what the new one is about. */
function besides(input: MemoryInput, { resolution }: Step): MemoryInput {
  const apart = resolution?.category ?? (resolution?.since && `since ${resolution.since}`);
  if (resolution?.decision !== "both_valid" || apart === undefined || !input.triple) return input;
  const triple = { ...input.triple, predicate: `${input.triple.predicate} (${apart})` };
  return {
    ...input,
    triple,
    text: `${(input.text ?? "").replace(/\.$/, "")} (${apart}).`,
    ...(resolution.category !== undefined && { category: resolution.category }),
  };
}
