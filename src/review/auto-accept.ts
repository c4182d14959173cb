import { trustRank } from "../core/ledger/index.js";
import type { AutoAccept, Verdict } from "../gate/index.js";
import type { Staged } from "../memories/index.js";
import { ERASE, requestIn } from "./erase-waiting.js";

/**
 * Need nobody look at a proposal? Only if a rule for its kind says so and everything in it is certain and trusted enough;
 * never where canon would come, go or change, and never what the gate itself held back.
 */
export function needsNobody(
  rules: readonly AutoAccept[],
  { kind, changes, note }: Pick<Staged, "kind" | "changes" | "note">,
  verdicts: readonly Verdict[],
): boolean {
  // Accepting a request to erase is an erasure, which no rule decides.
  if (kind === ERASE && requestIn(note)) return false;
  if (changes.length === 0 || verdicts.some(({ verdict }) => verdict === "quarantined")) return false;
  if (changes.some(({ was, wanted }) => was?.tier === "canon" || wanted?.tier === "canon")) return false;
  return rules.some(
    (rule) =>
      rule.kind === kind &&
      changes.every(
        ({ wanted }) =>
          wanted !== undefined &&
          (wanted.confidence ?? 1) >= (rule.confidence ?? 0) &&
          trustRank(wanted.origin.trust) >= trustRank(rule.trust ?? "agent"),
      ),
  );
}
