import { laneOf, type MemoryRecord } from "../core/ledger/index.js";
import type { Check, Note, Situation } from "./check.js";
import { contradiction } from "./checks/contradiction.js";
import { duplicate } from "./checks/duplicate.js";
import { journal } from "./checks/journal.js";
import { capacity, enabled, length, pace } from "./checks/limits.js";
import { outside, recallLoop, scope, source, tier, trust } from "./checks/rights.js";
import { secrets } from "./checks/secrets.js";
import type { Rules } from "./config.js";
import type { Refusal } from "./verdict.js";

/** The checks in their order. Each belongs to the lanes it names; the first refusal is the verdict. */
export const CHECKS: readonly Check[] = [
  enabled,
  journal,
  length,
  scope,
  tier,
  source,
  secrets,
  recallLoop,
  trust,
  duplicate,
  contradiction,
  capacity,
  pace,
  outside,
];

/** Does any check that is on compare a belief with others? If not, nobody need look for them. */
export const comparesBeliefs = ({ off }: Rules): boolean =>
  CHECKS.some(({ compares, name }) => compares && !off.has(name));

/** What the checks together say: why not, or what is to be written; of a refusal, what was left of the write so far. */
export type Judgement = Note & { readonly record: MemoryRecord; readonly refusal?: Refusal };

export function judge(proposed: MemoryRecord, situation: Situation): Judgement {
  const lane = laneOf(proposed.type);
  let admitted: Judgement = { record: proposed };
  for (const check of CHECKS) {
    if (!check.lanes.includes(lane) || situation.rules.off.has(check.name)) continue;
    const answer = check.run(admitted.record, situation);
    if (answer === undefined) continue;
    if ("verdict" in answer) {
      const found = answer.found ?? admitted.found;
      return { ...admitted, refusal: found ? { ...answer, found } : answer };
    }
    admitted = { ...admitted, ...answer };
  }
  return admitted;
}
