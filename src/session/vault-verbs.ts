import type {
  ConsolidationCandidate,
  ConsolidationOptions,
  DeletionProposal,
  VaultStats,
} from "../mind/index.js";
import { checkOptions, count, number, PLACED, THEN } from "../repo/index.js";
import { DocumentVerbs } from "./document-verbs.js";

/** The verbs that keep a memory tidy: they propose, and a person decides. */
export class VaultVerbs extends DocumentVerbs {
  /** Pairs of beliefs that say nearly the same, most alike first. */
  async findConsolidationCandidates(
    options: ConsolidationOptions & { readonly at?: string } = {},
  ): Promise<readonly ConsolidationCandidate[]> {
    checkOptions("findConsolidationCandidates", options, { ...PLACED, floor: number, limit: count });
    return this.read(options.at, async (tip, now) => {
      const { consolidationCandidates } = await import("../mind/verbs/consolidation.js");
      return consolidationCandidates(this.context, this.engine.reader, tip, now, options);
    });
  }

  /** Beliefs that could go, with reasons. Nothing is deleted. */
  async proposeDeletions(
    options: { readonly scope?: string; readonly limit?: number; readonly at?: string } = {},
  ): Promise<readonly DeletionProposal[]> {
    checkOptions("proposeDeletions", options, { ...PLACED, limit: count });
    return this.read(options.at, async (tip, now) => {
      const { proposeDeletions } = await import("../mind/verbs/consolidation.js");
      const { usesOf } = await import("../repo/write/uses.js");
      return proposeDeletions(this.context, this.engine.reader, tip, now, options, (scope, id) =>
        usesOf(this.engine.storage, scope, id),
      );
    });
  }

  /** Figures of `stats`, and how full and how tidy the memory is. */
  async vaultStats(options: { readonly at?: string } = {}): Promise<VaultStats> {
    checkOptions("vaultStats", options, THEN);
    return this.read(options.at, async (tip, now) => {
      const { vaultStats } = await import("../mind/verbs/vault-stats.js");
      return vaultStats(this.context, this.engine.reader, tip, now);
    });
  }
}
