import { laneOf } from "../../core/ledger/index.js";
import type { Check } from "../check.js";
import { refuse } from "../verdict.js";

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
