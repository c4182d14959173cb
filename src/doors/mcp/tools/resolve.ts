import * as z from "zod";
import { type Conflict, type Json, PalimpsestError, shortHash, VERBS } from "../../../session/index.js";
import { argument, budget, id } from "../fields.js";
import { counted, cut, fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";
import { judged, tellVerdict, verdictOf, verdictOut } from "../verdicts.js";

const side = z.object({
  take: z.number(),
  value: z.json().optional(),
  deleted: z.boolean().optional(),
  by: z.string().optional(),
  trust: z.string().optional(),
  commit: z.string().optional(),
});
const contested = z.object({ id: z.string(), scope: z.string(), field: z.string(), sides: z.array(side) });
type Contested = z.input<typeof contested> & { readonly text?: string };

const { options: OPTIONS } = VERBS.resolve;

export const resolve = tool({
  name: "memory_resolve",
  title: "Settle a conflict",
  description:
    "Fields on which a merge left more than one value. Without `id`: the list, with the sides of each. " +
    "With `id` and `field`: settle it, by the number of the side to `take` or by a `value` of your own.",
  kind: "change",
  aliases: { id: ["memory_id"], value: ["new_value", "text"] },
  example: { id: "staging-port", field: "text", take: 1 },
  input: z.strictObject({
    id: id.optional(),
    field: z.string().min(1).max(200).optional(),
    scope: argument(OPTIONS.scope, { max: 160 }),
    take: z.int().min(1).max(100).optional(),
    value: z.json().optional(),
    reason: argument(OPTIONS.message, { max: 500 }),
    budget,
  }),
  output: z.object({ conflicts: z.array(contested), left: z.number(), settled: verdictOut.optional() }),
  async run({ session, sight }, { id: given, field, scope, take, value, reason, budget: tokens }) {
    if (given === undefined && field === undefined && take === undefined && value === undefined) {
      const { items, left } = fitting(
        (await session.conflicts()).map((one) => contestedOf(one, tokens)),
        tokens,
      );
      return { conflicts: [...items], left };
    }
    if (given === undefined || field === undefined || (take === undefined) === (value === undefined))
      throw new PalimpsestError("INVALID_FIELD", "To settle a conflict takes id, field, and take or value.", {
        hint: "Call memory_resolve without arguments for the list.",
      });
    const resolution = take === undefined ? { value: value as Json } : { take };
    const verdict = await judged(session, () =>
      session.resolve(given, field, resolution, {
        ...(scope !== undefined && { scope }),
        ...(reason !== undefined && { message: reason }),
      }),
    );
    return { conflicts: [], left: 0, settled: verdictOf(verdict, sight) };
  },
  tell({ conflicts, left, settled }) {
    if (settled) return tellVerdict("Updated")(settled);
    if (conflicts.length === 0) return "Nothing is contested.";
    const more = left > 0 ? [`${counted(left, "more conflict")} did not fit the budget.`] : [];
    return [...conflicts.flatMap(rowsOf), ...more].join("\n");
  },
});

/** A side is taken by its number, so that a long text need not be shown whole: two of so many characters fit the budget. */
const contestedOf = ({ id: memory, scope, field, terms }: Conflict, most: number): Contested => ({
  ...{ id: memory, scope, field },
  sides: terms.map(({ value, deleted, author, trust, commit }, at) => ({
    take: at + 1,
    ...(deleted
      ? { deleted: true }
      : { value: typeof value === "string" ? cut(value, most) : (value as z.input<typeof side>["value"]) }),
    ...(author && { by: author.id }),
    ...(trust !== undefined && { trust }),
    ...(commit !== undefined && { commit: shortHash(commit) }),
  })),
});

const rowsOf = ({ id: memory, scope, field, sides }: Contested): string[] => [
  `${memory} in ${scope}, ${field}:`,
  ...sides.map(({ take, value, deleted, by, trust, commit }) => {
    const said = deleted ? "(forgotten)" : quoted(typeof value === "string" ? value : JSON.stringify(value));
    const of = [by && `by ${by}`, trust && `trust ${trust}`, commit && `commit ${commit}`].filter(Boolean);
    return `  ${take}. ${said}${of.length === 0 ? "" : ` ${of.join(", ")}`}`;
  }),
];
