import { trustRank } from "../../core/ledger/index.js";
import type { Check } from "../check.js";
import { quarantine } from "../verdict.js";

/** What a stronger writer said is not overwritten by a weaker one. */
export const trust: Check = {
  name: "trust",
  lanes: ["belief", "document", "message"],
  run: ({ origin }, { target }) => {
    if (target === undefined || trustRank(origin.trust) >= trustRank(target.origin.trust)) return undefined;
    return {
      ...quarantine(
        "WEAKER_WRITER",
        "trust",
        `This memory was written with the trust of "${target.origin.trust}", this write has that of "${origin.trust}".`,
        "It waits for somebody of that trust to decide (see `review`); or write it as a memory of its own.",
      ),
      against: target.id,
    };
  },
};
