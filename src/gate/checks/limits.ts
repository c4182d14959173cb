import { laneOf } from "../../core/ledger/index.js";
import type { Check } from "../check.js";
import { isInjected } from "../check.js";
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

/** Characters as people and Unicode count them: half of a surrogate pair is none. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

export const length: Check = {
  name: "length",
  lanes: ["belief", "document", "message"],
  run: ({ text, type }, { rules }) => {
    const lane = laneOf(type);
    const limit = rules.limits[lane];
    if (text.length <= limit) return undefined;
    const size = countCharacters(text);
    if (size <= limit) return undefined;
    return refuse(
      "TOO_LONG",
      "length",
      `The text is too long: ${size} characters, the limit for type "${type}" is ${limit}.`,
      lane === "belief"
        ? "Say it shorter, or store it as a document (type note)."
        : "Say it shorter, or cut it into several that lie below one.",
    );
  },
};

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

export const enabled: Check = {
  name: "enabled",
  lanes: ["belief", "document", "message"],
  run: (_, { rules }) =>
    rules.enabled
      ? undefined
      : refuse(
          "SWITCHED_OFF",
          "enabled",
          "Remembering is switched off here.",
          "Set `enabled` in the configuration of the gate to switch it on.",
        ),
};
