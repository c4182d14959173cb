import { timestamp } from "../base/index.js";
import { budgetFrom, CostLedger, type Model, modelFrom, type Purse } from "../mind/index.js";
import type { Engine } from "./engine.js";

/** The model a call uses: the one named for it, else the store's, else the environment's. */
export function modelOf(engine: Engine, named?: Model | "none"): Model | undefined {
  const chosen = named ?? engine.mind.model ?? modelFrom(process.env);
  return chosen === "none" ? undefined : chosen;
}

/** The cost ledger of a store: notes beside the memories, shared by all its processes. */
export function ledgerOf(engine: Engine): CostLedger {
  const today = () => timestamp(engine.clock()).slice(0, 10);
  return new CostLedger(purseOf(engine), budgetFrom(process.env, engine.mind.budget), today);
}

const early = new WeakMap<Engine, Map<string, string>>();

/** What was spent before there was a store is noted as soon as there is one. */
export async function noteEarly(engine: Engine): Promise<void> {
  const kept = early.get(engine);
  if (!kept?.size || !(await engine.storage.exists())) return;
  for (const [key, value] of kept) if (await engine.storage.setSide(key, value, null)) kept.delete(key);
}

/** Notes of a store that does not exist yet are kept until it does: asking a model creates no store. */
function purseOf(engine: Engine): Purse {
  const { storage } = engine;
  const kept = early.get(engine) ?? new Map<string, string>();
  early.set(engine, kept);
  return {
    read: async (key) => (await storage.side(key)) ?? kept.get(key),
    swap: async (key, value, expect) => {
      if (!(await storage.exists())) {
        kept.set(key, value);
        return true;
      }
      const isKept = kept.has(key) && (await storage.side(key)) === undefined;
      const done = await storage.setSide(key, value, isKept ? null : expect);
      if (done) kept.delete(key);
      return done;
    },
  };
}
