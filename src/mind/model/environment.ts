import type { Budget } from "./budget.js";
import { chatModel } from "./chat.js";
import type { Model } from "./port.js";

/** The model that the environment names, if any: `$PAL_MODEL`, `$PAL_MODEL_URL`, `$PAL_MODEL_KEY`. */
export function modelFrom(env: Readonly<Record<string, string | undefined>>): Model | undefined {
  const { PAL_MODEL: model, PAL_MODEL_URL: baseUrl, PAL_MODEL_KEY: apiKey } = env;
  // "host" is the model of an MCP client, which only its server can ask.
  if (!model || model === "none" || model === "host") return undefined;
  return chatModel({ model, ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }) });
}

/** Limits that the environment sets, over those given. */
export function budgetFrom(env: Readonly<Record<string, string | undefined>>, given: Budget = {}): Budget {
  const tokens = Number(env.PAL_MODEL_TOKENS_PER_DAY);
  return env.PAL_MODEL_TOKENS_PER_DAY && tokens >= 0 ? { ...given, tokensPerDay: tokens } : given;
}
