import type { Check } from "../check.js";
import { isInjected } from "../neighbourhood.js";
import { refuse } from "../verdict.js";

/** What goes into every prompt is bounded. Ordinary facts are not. */
export const capacity: Check = {
  name: "capacity",
  lanes: ["belief"],
  compares: true,
  run: (record, { near, rules, target }) => {
    if (!isInjected(record) || (target && isInjected(target))) return undefined;
    const count = near.injectedCount;
    if (count < rules.capacity) return undefined;
    return {
      ...refuse(
        "FULL",
        "capacity",
        `The scope ${record.scope} is full: it holds ${count} memories that are always injected, the limit is ${rules.capacity}.`,
        "Merge or forget one of the candidates, or write it without a topic as an ordinary register.",
      ),
      candidates: near.injected.slice(0, 3).map(({ id }) => id),
    };
  },
};
