import * as z from "zod";
import { budget } from "../fields.js";
import { counted, fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";

const point = z.string().min(1).max(200);
const change = z.object({
  change: z.enum(["added", "removed", "changed"]),
  id: z.string(),
  text: z.string(),
  fields: z.array(z.string()).optional(),
});
type Change = z.input<typeof change>;

export const diff = tool({
  name: "memory_diff",
  title: "Compare states",
  description:
    "What differs between two states; each is a commit, branch, tag, snapshot or time, or HEAD~1. Without `to`: up to the present.",
  kind: "read",
  example: { from: "main", to: "skeptic" },
  input: z.strictObject({ from: point, to: point.optional(), budget }),
  output: z.object({ changes: z.array(change), left: z.number() }),
  async run({ session }, { from, to, budget: tokens }) {
    const { added, removed, changed } = await session.diff(from, to);
    const all: Change[] = [
      ...added.map(({ id, text }) => ({ change: "added" as const, id, text })),
      ...removed.map(({ id, text }) => ({ change: "removed" as const, id, text })),
      ...changed.map(({ id, text, fields }) => ({
        ...{ change: "changed" as const, id, text },
        fields: fields.map(({ field }) => field),
      })),
    ];
    const { items, left } = fitting(all, tokens);
    return { changes: [...items], left };
  },
  tell({ changes, left }) {
    if (changes.length === 0) return "No difference.";
    const rows = changes.map(
      ({ change: kind, id, text, fields }) =>
        `${kind} ${id}${fields ? ` (${fields.join(", ")})` : ""}: ${quoted(text)}`,
    );
    const more = left > 0 ? [`${counted(left, "more change")} did not fit the budget.`] : [];
    return [...rows, ...more].join("\n");
  },
});
