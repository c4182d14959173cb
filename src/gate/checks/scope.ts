import type { Check } from "../check.js";
import { refuse } from "../verdict.js";

export const scope: Check = {
  name: "scope",
  lanes: ["belief", "document", "message"],
  run: ({ scope: target }, { writer, rules }) => {
    if (!writer.sees(target))
      return refuse(
        "SCOPE_NOT_VISIBLE",
        "scope",
        `This session does not see the scope ${target}.`,
        "Write to a scope the session sees, or open a session that sees this one.",
      );
    if (rules.scopes === undefined || rules.scopes.includes(target)) return undefined;
    return refuse(
      "SCOPE_NOT_WRITABLE",
      "scope",
      `The configuration lets nothing be written to the scope ${target}.`,
      `Write to one of ${rules.scopes.join(", ")}.`,
    );
  },
};
