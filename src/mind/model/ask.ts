import { type JsonObject, PalimpsestError } from "../../core/base/index.js";
import type { CostLedger } from "./budget.js";
import { type Cost, FREE } from "./budget.js";
import { type Model, tokensIn } from "./port.js";

/** A versioned prompt: what the model reads, what it has to answer, and how much that may be. */
export interface Prompt<T> {
  readonly task: string;
  readonly system: string;
  readonly schema: JsonObject;
  readonly maxTokens: number;
  /** The answer as it is meant, or what is wrong with it. */
  read(value: unknown): T | string;
}

export interface Asked<T> {
  readonly value: T;
  readonly cost: Cost;
}

/** The most that asking would cost, without asking. */
export function estimate(prompt: Prompt<unknown>, text: string): Cost {
  return { calls: 1, tokensIn: tokensIn(prompt.system + text), tokensOut: prompt.maxTokens };
}

/**
 * Asks within the budget. An answer that is not what was asked for is shown to the model once with what is wrong; then
 * it is an error that carries what was said, so that nothing is lost in silence.
 */
export async function ask<T>(
  model: Model,
  ledger: CostLedger,
  prompt: Prompt<T>,
  text: string,
  signal?: AbortSignal,
): Promise<Asked<T>> {
  let cost: Cost = FREE;
  let question = text;
  for (let tried = 1; ; tried++) {
    const expected = estimate(prompt, question);
    const reserved = await ledger.reserve(prompt.task, expected.tokensIn, prompt.maxTokens);
    let answerText = "";
    try {
      const { task, system, schema, maxTokens } = prompt;
      const answer = await model.ask({ task, system, prompt: question, schema, maxTokens, signal });
      answerText = answer.text;
      await reserved.settle(answer.tokensIn, answer.tokensOut);
      cost = {
        calls: cost.calls + 1,
        tokensIn: cost.tokensIn + answer.tokensIn,
        tokensOut: cost.tokensOut + answer.tokensOut,
      };
    } catch (error) {
      // What a failed call cost is not known; what was asked was probably read.
      await reserved.settle(expected.tokensIn, 0);
      throw error;
    }
    const found = jsonIn(answerText);
    const read = found === undefined ? "It is no JSON." : prompt.read(found);
    if (typeof read !== "string") return { value: read, cost };
    if (tried === 2)
      throw new PalimpsestError("MODEL_ANSWER", `${model.id} gave an answer that cannot be used: ${read}`, {
        data: { task: prompt.task, said: answerText.slice(0, 4_000), cost },
      });
    question = `${text}\n\nYour last answer could not be used: ${read}\nIt was:\n${answerText.slice(0, 2_000)}\nAnswer again, with JSON of the given schema and nothing else.`;
  }
}

/** The JSON value in what a model said, or undefined. Thoughts, fences and chatter around it do not matter. */
export function jsonIn(said: string): unknown {
  // Only before the last end of a thought: where none follows, every beginning would be looked on from to the end.
  const end = said.lastIndexOf("</think>") + 8;
  const spoken =
    end < 8 ? said : said.slice(0, end).replace(/<think>[\s\S]*?<\/think>/g, "") + said.slice(end);
  const text = spoken.trim();
  for (const candidate of [text, /```(?:json)?([\s\S]*?)```/.exec(text)?.[1], outermost(text)])
    if (candidate !== undefined)
      try {
        return JSON.parse(candidate);
      } catch {
        // The next candidate may be the one.
      }
  return undefined;
}

function outermost(text: string): string | undefined {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
}
