import { laneOf, trustRank } from "../../core/ledger/index.js";
import type { Check } from "../check.js";
import { quarantine } from "../verdict.js";

/** Somebody chose to read these in; they are kept as what they are, with the label of where they come from. */
const BROUGHT_IN = new Set(["import", "ingest", "file", "document"]);

/**
 * What comes from outside and nobody vouches for is found by no search before a person has accepted it: so a planted
 * experience is never recalled, nor what was made of it. Documents and messages quote the world and are kept; only those
 * of a door that is itself untrusted wait too.
 */
export const outside: Check = {
  name: "outside",
  lanes: ["belief", "document"],
  run: ({ type, origin }, { writer }) => {
    // A person who writes it down has read it; the label stays.
    if (origin.trust !== "external" || trustRank(writer.trust) >= trustRank("user")) return undefined;
    const isDoor = writer.trust === "external";
    const isBroughtIn = BROUGHT_IN.has(origin.source) && origin.derivedFrom === undefined;
    if (!isDoor && (laneOf(type) === "document" || isBroughtIn)) return undefined;
    return quarantine(
      "UNVOUCHED",
      "outside",
      "This comes from outside, or was made of something that does, and nobody has vouched for it.",
      "It waits for a user or operator to accept it: see `review`.",
    );
  },
};
