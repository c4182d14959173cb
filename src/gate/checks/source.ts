import type { Check } from "../check.js";
import { SOURCES } from "../trust.js";
import { refuse } from "../verdict.js";

export const source: Check = {
  name: "source",
  lanes: ["belief", "document", "message"],
  run: ({ origin }) =>
    SOURCES.has(origin.source)
      ? undefined
      : refuse(
          "SOURCE_UNKNOWN",
          "source",
          `"${origin.source}" is no known source.`,
          `Use one of ${[...SOURCES.keys()].join(", ")}.`,
        ),
};
