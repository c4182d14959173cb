import { trustRank } from "../../ledger/index.js";
import { type Check, refuse } from "../check.js";

export const tier: Check = {
  name: "tier",
  lanes: ["belief", "document", "message"],
  run: ({ tier: level, origin }) => {
    if (level !== "canon" || trustRank(origin.trust) >= trustRank("user")) return undefined;
    return refuse(
      "TIER_NOT_ALLOWED",
      "tier",
      `Canon is for what a person vouches for; this write comes with the trust of "${origin.trust}".`,
      "Write it as a register, or have a user or operator write it.",
    );
  },
};
