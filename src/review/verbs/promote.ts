import type { Verdict } from "../../gate/index.js";
import { update } from "../../memories/index.js";
import { type Context, commitVerdict, type WriteOptions } from "../../repo/index.js";
import type { PromoteOptions } from "../options.js";
import { proposeByRules } from "./propose.js";

/**
 * Makes a belief canon, in its own words or in better ones. The gate asks whether the writer may; who may not proposes it,
 * and it waits for somebody who may.
 */
export async function promoteToCanon(
  context: Context,
  id: string,
  text: string | undefined,
  options: PromoteOptions & WriteOptions,
): Promise<Verdict> {
  const { scope, reason, dryRun } = options;
  const change = { tier: "canon", source: "promotion", ...(text !== undefined && { text }) } as const;
  const place = scope === undefined ? {} : { scope };
  const verdict = await commitVerdict(context, {
    verb: "promote",
    options,
    run: (job) => update(job, id, change, place),
  });
  if (verdict.verdict !== "rejected" || verdict.code !== "TIER_NOT_ALLOWED") return verdict;
  const waits = "It waits for a user, an operator or a second agent to accept it: see `review`.";
  const held: Verdict = { ...verdict, verdict: "quarantined", hint: waits };
  if (dryRun) return held;
  const { id: staged } = await proposeByRules(
    context,
    "promotion",
    (tx) => tx.update(id, change, place),
    reason === undefined ? {} : { reason },
  );
  return staged === undefined ? verdict : { ...held, staged };
}
