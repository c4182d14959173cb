import * as z from "zod";
import { type Branch, PalimpsestError, shortHash } from "../../../session/index.js";
import { branchName } from "../fields.js";
import { quoted } from "../telling.js";
import { tool } from "../tool.js";

export const branch = tool({
  name: "memory_branch",
  title: "Personas and branches",
  description:
    "Branches keep the memories of different personas or attempts apart. list them, create one from the present state " +
    "(this does not switch), or switch: from then on you read and write there.",
  kind: "add",
  input: z.strictObject({
    action: z.enum(["list", "create", "switch"]),
    name: branchName.optional().describe("for create and switch"),
    persona: z.string().max(500).optional(),
    purpose: z.string().max(500).optional(),
  }),
  output: z.object({
    current: z.string(),
    branches: z.array(
      z.object({
        name: z.string(),
        head: z.string(),
        persona: z.string().optional(),
        purpose: z.string().optional(),
      }),
    ),
  }),
  async run({ session }, { action, name, persona, purpose }) {
    if (action === "list") {
      const all = await session.branches();
      return { data: { current: session.branch, branches: all.map(told) }, text: all.map(lineOf).join("\n") };
    }
    if (name === undefined)
      throw new PalimpsestError("INVALID_NAME", `To ${action} a branch, name it.`, { hint: "Give name." });
    const one =
      action === "switch"
        ? await session.checkout(name)
        : await session.createBranch(name, {
            ...(persona !== undefined && { persona }),
            ...(purpose !== undefined && { purpose }),
          });
    const text =
      action === "switch" ? `Now on ${one.name}.` : `Created ${one.name}; still on ${session.branch}.`;
    return { data: { current: session.branch, branches: [told(one)] }, text };
  },
});

const told = ({ name, head, persona, purpose }: Branch) => ({
  name,
  head: shortHash(head),
  ...(persona !== undefined && { persona }),
  ...(purpose !== undefined && { purpose }),
});

const lineOf = ({ name, persona, purpose, current }: Branch): string =>
  `${current ? "*" : "-"} ${name}${persona === undefined ? "" : ` persona ${quoted(persona, 200)}`}${purpose === undefined ? "" : ` for ${quoted(purpose, 200)}`}`;
