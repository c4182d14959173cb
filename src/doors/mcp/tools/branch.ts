import * as z from "zod";
import { type Branch, PalimpsestError, shortHash, VERBS } from "../../../session/index.js";
import { argument, branchName } from "../fields.js";
import { quoted } from "../telling.js";
import { tool } from "../tool.js";

const toldOf = z.object({
  name: z.string(),
  head: z.string(),
  persona: z.string().optional(),
  purpose: z.string().optional(),
});
type Told = z.input<typeof toldOf>;

const { options: OPTIONS } = VERBS.createBranch;

export const branch = tool({
  name: "memory_branch",
  title: "Personas and branches",
  description:
    "Keep personas or attempts apart: list branches, create one (this does not switch), or switch to read and write there.",
  kind: "add",
  aliases: { name: ["branch", "branch_name", "source"] },
  example: { action: "create", name: "skeptic", persona: "doubts everything" },
  input: z.strictObject({
    action: z.preprocess(
      (word) => ({ current: "list", checkout: "switch" })[String(word)] ?? word,
      z.enum(["list", "create", "switch"]),
    ),
    name: branchName.optional(),
    persona: argument(OPTIONS.persona, { max: 500 }),
    purpose: argument(OPTIONS.purpose, { max: 500 }),
  }),
  output: z.object({
    done: z.enum(["listed", "created", "switched"]),
    current: z.string(),
    branches: z.array(toldOf),
  }),
  async run({ session }, { action, name, persona, purpose }) {
    if (action === "list") {
      const all = await session.branches();
      return { done: "listed" as const, current: session.branch, branches: all.map(told) };
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
    const done = action === "switch" ? ("switched" as const) : ("created" as const);
    return { done, current: session.branch, branches: [told(one)] };
  },
  tell({ done, current, branches }) {
    const rows = branches.map((one) => lineOf(one, current));
    if (done === "listed") return rows.join("\n");
    return [done === "switched" ? `Now on ${current}.` : `Created; still on ${current}.`, ...rows].join("\n");
  },
});

const told = ({ name, head, persona, purpose }: Branch): Told => ({
  name,
  head: shortHash(head),
  ...(persona !== undefined && { persona }),
  ...(purpose !== undefined && { purpose }),
});

const lineOf = ({ name, head, persona, purpose }: Told, current: string): string =>
  `${name === current ? "*" : "-"} ${name} at ${head}${persona === undefined ? "" : ` persona ${quoted(persona)}`}${purpose === undefined ? "" : ` for ${quoted(purpose)}`}`;
