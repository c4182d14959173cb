import { type Stats, stats } from "../../history/index.js";
import { facet, Scene } from "../../index/index.js";
import type { At } from "../../repo/index.js";

/** How full and how tidy the memory is. */
export interface VaultStats extends Stats {
  /** How many memories of a scope may be always injected. */
  readonly capacity: number;
  /** How many are, by scope, and which share of the capacity that is, in percent. */
  readonly injected: Readonly<Record<string, { readonly count: number; readonly utilisation: number }>>;
  /** Versions ever written for each memory that is live. */
  readonly bloat: number;
  /** Topics that have a register, in order. */
  readonly topics: readonly string[];
}

export async function vaultStats(at: At): Promise<VaultStats> {
  const { context, tip, now } = at;
  const { views, branch, sight, rules } = context;
  const { capacity } = rules;
  const plain = await stats(at);
  const time = Date.parse(now);
  const { injected, topics } = await views.use(branch, tip, (view) => {
    const whole = new Scene(view, sight, time);
    const byScope = [...whole.byScope().keys()].sort().map((scope) => {
      const count = new Scene(view, sight, time, scope).frequency(facet.ALWAYS);
      return [scope, { count, utilisation: percent(count, capacity) }] as const;
    });
    return {
      injected: Object.fromEntries(byScope.filter(([, { count }]) => count > 0)),
      topics: [...view.termsFrom(facet.byTopic(""))]
        .filter((term) => whole.frequency(term) > 0)
        .map(facet.valueIn)
        .sort(),
    };
  });
  const bloat = plain.memories === 0 ? 0 : Math.round((plain.versions / plain.memories) * 100) / 100;
  return { ...plain, capacity, injected, bloat, topics };
}

const percent = (count: number, most: number): number =>
  most === 0 ? 100 : Math.round((count / most) * 1000) / 10;
