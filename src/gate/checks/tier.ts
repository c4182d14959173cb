import type { Check } from "../check.js";
import { mayElevate } from "../trust.js";
import { refuse } from "../verdict.js";

export const tier: Check = {
  name: "tier",
  lanes: ["belief", "document", "message"],
  run: ({ tier: level, origin }, { writer, vouchers = [] }) => {
    if (level !== "canon" || vouchers === "later") return undefined;
    if (mayElevate([{ id: writer.id, trust: origin.trust }, ...vouchers])) return undefined;
    return refuse(
      "TIER_NOT_ALLOWED",
      "tier",
      `Canon is for what a person vouches for; this write comes with the trust of "${origin.trust}".`,
      "Write it as a register, or have a user or operator write it: `pal --operator` at the command line; in a program `propose` puts it before one.",
    );
  },
};
