import type { Check } from "../check.js";
import { refuse } from "../verdict.js";

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
