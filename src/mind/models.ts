import { timestamp } from "../core/base/index.js";
import type { Engine } from "../repo/index.js";
import { Mind } from "./mind-host.js";
import { type Budget, CostLedger, type Purse } from "./model/budget.js";
import { chatModel } from "./model/chat.js";
import type { Model } from "./model/port.js";

/** The model a call uses: the one named for it, else the store's, else the environment's. */
export function modelOf(engine: Engine, named?: Model | "none"): Model | undefined {
  const chosen = named ?? engine.companion(Mind).options.model ?? modelFrom(process.env);
  return chosen === "none" ? undefined : chosen;
}

/** The cost ledger of a store: notes beside the memories, shared by all its processes. */
export function ledgerOf(engine: Engine): CostLedger {
  const today = () => timestamp(engine.clock()).slice(0, 10);
  const { options } = engine.companion(Mind);
  return new CostLedger(purseOf(engine), budgetFrom(process.env, options.budget), today);
}

function purseOf(engine: Engine): Purse {
  const { storage } = engine;
  const { early } = engine.companion(Mind);
  return {
    read: async (key) => (await storage.side(key)) ?? early.get(key),
    swap: async (key, value, expect) => {
      if (!(await storage.exists())) {
        early.set(key, value);
        return true;
      }
      const isKept = early.has(key) && (await storage.side(key)) === undefined;
      const done = await storage.setSide(key, value, isKept ? null : expect);
      if (done) early.delete(key);
      return done;
    },
  };
}

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
