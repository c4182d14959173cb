import type { MemoryId, Scope } from "../core/base/names.js";
import type { MemoryRecord, Trust } from "../core/ledger/types.js";
import type { Situation, Writer } from "./check.js";
import { isInjected, type Neighbourhood } from "./check.js";
import { duplicate } from "./checks/duplicate.js";
import { type GateConfig, rulesOf } from "./config.js";
import { judge } from "./gate.js";
import type { Refusal } from "./verdict.js";

/** A neighbourhood of the records given, without any index: all of one scope, all triples of one slot. */
export const around = (
  records: readonly MemoryRecord[],
  more: Partial<Neighbourhood> = {},
): Neighbourhood => ({
  nearest: records,
  slot: records.filter(({ triple }) => triple),
  count: records.length,
  frequency: () => 1,
  injectedCount: records.filter(isInjected).length,
  injected: records.filter(isInjected),
  served: () => undefined,
  recentBeliefs: () => 0,
  ...more,
});

export const sees = (...scopes: string[]): Writer => ({
  id: "writer",
  trust: "agent",
  sees: (scope) => scopes.includes(scope),
});

export const situation = (
  more: Partial<Omit<Situation, "rules">> & { readonly config?: GateConfig } = {},
): Situation => ({
  writer: sees("shared"),
  near: around([]),
  rules: rulesOf(more.config),
  ...more,
});

let count = 0;
export const record = (fields: Partial<MemoryRecord> = {}, trust: Trust = "agent"): MemoryRecord => ({
  scope: "shared" as Scope,
  id: `mem-${++count}` as MemoryId,
  type: "fact",
  text: "x",
  origin: { source: "tool", channel: "library", trust },
  ...fields,
});

export function refusalOf(given: MemoryRecord, on: Situation = situation()): Refusal | undefined {
  const judgement = judge(given, on);
  return judgement.refusal;
}

/** Do the two texts count as one, whichever comes first? */
export const isDuplicate = (a: string, b: string): boolean =>
  [[a, b] as const, [b, a] as const].every(([old, text]) =>
    Boolean(duplicate.run(record({ text }), situation({ near: around([record({ text: old })]) }))),
  );
