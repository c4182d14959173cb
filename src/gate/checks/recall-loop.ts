import { trustRank } from "../../core/ledger/index.js";
import type { Check } from "../check.js";
import { refuse } from "../verdict.js";

/** Our own words coming back are no news, wherever they would be put. A person who copies a text means it. */
export const recallLoop: Check = {
  name: "recall-loop",
  lanes: ["belief"],
  run: ({ text, origin, id }, { near, target }) => {
    if (target !== undefined || trustRank(origin.trust) >= trustRank("user")) return undefined;
    const of = near.served(text);
    if (of === undefined || of === id) return undefined;
    return {
      ...refuse(
        "RECALL_LOOP",
        "recall-loop",
        `Duplicate: this text was read from memory (${of}) and says nothing new.`,
        "Nothing needs to be done; to change the memory, update it by its id.",
      ),
      verdict: "duplicate",
      of,
      similarity: 1,
    };
  },
};
