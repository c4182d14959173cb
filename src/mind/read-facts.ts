import type { Context, Engine } from "../repo/index.js";
import type { Fact, Message } from "./facts.js";
import { ask, estimate } from "./model/ask.js";
import { type Cost, FREE, isModelFailure, sumCosts } from "./model/budget.js";
import type { Model } from "./model/port.js";
import { ledgerOf } from "./models.js";
import { EXTRACT, type Extracted } from "./prompts/extract-v1.js";
import { supported, transcripts } from "./transcript.js";

export interface ReadFacts extends Extracted {
  readonly by: string;
  readonly notes: readonly string[];
  readonly cost: Cost;
}

export async function readFacts(
  context: Context,
  messages: readonly Message[],
  model: Model | undefined,
  { dryRun, signal }: { readonly dryRun?: boolean; readonly signal?: AbortSignal },
): Promise<ReadFacts> {
  const { engine } = context;
  const known = (text: string): boolean => context.served.find(text) !== undefined;
  const byRules = async (notes: readonly string[], cost = FREE): Promise<ReadFacts> => {
    // The rules are many, and most processes never need them.
    const { extractFacts } = await import("./extract/extract.js");
    return { facts: extractFacts(messages, known), refused: [], by: "rules", notes, cost };
  };
  if (model === undefined || dryRun) return byRules([]);
  const ledger = ledgerOf(engine);
  let cost = FREE;
  const facts: Fact[] = [];
  const refused: Extracted["refused"][number][] = [];
  try {
    for (const part of transcripts(messages, roomIn(engine))) {
      const asked = await ask(model, ledger, EXTRACT, part, signal);
      cost = sumCosts(cost, asked.cost);
      const kept = supported(asked.value, messages, known);
      facts.push(...kept.facts);
      refused.push(...kept.refused);
    }
    return { facts, refused, by: model.id, notes: [], cost };
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    const spent = (error.data as { cost?: Cost } | undefined)?.cost ?? FREE;
    return byRules([`${error.message} Rules stood in for the model.`], sumCosts(cost, spent));
  }
}

const roomIn = (engine: Engine): number =>
  Math.max(500, ledgerOf(engine).limits.tokensPerCall - EXTRACT.maxTokens - estimate(EXTRACT, "").tokensIn) /
  2;

export function estimateOf(engine: Engine, messages: readonly Message[]): Cost {
  return transcripts(messages, roomIn(engine))
    .map((part) => estimate(EXTRACT, part))
    .reduce(sumCosts, FREE);
}
