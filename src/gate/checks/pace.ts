import type { Check } from "../check.js";
import { refuse } from "../verdict.js";

/** A runaway agent fills a store within minutes; a limit, where one is set, stops it. */
export const pace: Check = {
  name: "pace",
  lanes: ["belief"],
  run: (_, { near, rules, target }) => {
    if (target !== undefined || near.recentBeliefs() < rules.beliefsPerHour) return undefined;
    return refuse(
      "TOO_MANY",
      "pace",
      `This session wrote ${rules.beliefsPerHour} new beliefs within an hour, which is its limit.`,
      "Keep the few that matter, update existing memories instead, or wait.",
    );
  },
};
