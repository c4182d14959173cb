import * as z from "zod";
import { type ReviewItem, VERBS } from "../../../session/index.js";
import { argument, budget } from "../fields.js";
import { counted, fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";

const item = z.object({
  id: z.string(),
  kind: z.string(),
  by: z.string(),
  trust: z.string(),
  time: z.string(),
  text: z.string().optional(),
  changes: z.array(
    z.object({
      op: z.enum(["add", "modify", "forget"]),
      id: z.string(),
      text: z.string(),
      was: z.string().optional(),
    }),
  ),
});
type Item = z.input<typeof item>;

const DAMAGED = "Something in the store is damaged, and may wait unseen. Tell the user to run `pal verify`.";

const { options: LIST } = VERBS.review;
const { options: REJECT } = VERBS.rejectReview;

export const review = tool({
  name: "memory_review",
  title: "Review what waits",
  description:
    "What waits for a decision (quarantined writes, proposals, promotions) as differences. Without `id`: the list. " +
    "With `id` and `decision`: accept or reject it. Accepting counts with your own trust: what needs a person goes on waiting.",
  kind: "change",
  aliases: { decision: ["action"] },
  example: { id: "1a2b3c4d", decision: "accept" },
  input: z.strictObject({
    id: z.string().min(7).max(64).optional(),
    decision: z.enum(["accept", "reject"]).optional(),
    reason: argument(REJECT.reason, { max: 1_000 }),
    kind: argument(LIST.kind, { max: 32 }),
    budget,
  }),
  output: z.object({
    items: z.array(item),
    left: z.number(),
    damaged: z.boolean().optional(),
    decided: z
      .object({
        id: z.string(),
        accepted: z.boolean(),
        rejected: z.boolean().optional(),
        changes: z.number().optional(),
        refusal: z.string().optional(),
      })
      .optional(),
  }),
  async run({ session, store }, { id, decision, reason, kind, budget: tokens }) {
    if (id !== undefined && decision === "reject") {
      const done = await session.rejectReview(id, reason === undefined ? {} : { reason });
      const decided = { id: done.id, accepted: false, rejected: true };
      return { items: [], left: 0, decided };
    }
    if (id !== undefined && decision === "accept") {
      const done = await session.acceptReview(id, reason === undefined ? {} : { message: reason });
      const why = done.verdicts.find(({ reason: said }) => !done.accepted && said !== undefined)?.reason;
      const decided = {
        ...{ id: done.id, accepted: done.accepted, changes: done.accepted ? done.verdicts.length : 0 },
        ...(why !== undefined && { refusal: why }),
      };
      return { items: [], left: 0, decided };
    }
    const waiting =
      id === undefined
        ? await session.review(kind === undefined ? {} : { kind })
        : [await session.reviewItem(id)];
    const { items, left } = fitting(waiting.map(itemOf), tokens);
    return { items: [...items], left, ...(store.damaged.length > 0 && { damaged: true }) };
  },
  tell({ items, left, damaged, decided }) {
    if (decided) return tellDecision(decided);
    const more = left > 0 ? [`${counted(left, "more item")} did not fit the budget.`] : [];
    const rows = [...items.map(rowOf), ...more, ...(damaged ? [DAMAGED] : [])];
    return rows.length === 0 ? "Nothing waits." : rows.join("\n");
  },
});

const itemOf = ({ id, kind, by, trust, time, reason, changes }: ReviewItem): Item => ({
  id,
  kind,
  by: by.id,
  trust,
  time,
  ...(reason !== undefined && { text: reason }),
  changes: changes.map(({ op, id: memory, text, fields }) => {
    const was = fields.find(({ field }) => field === "text")?.from;
    return { op, id: memory, text, ...(typeof was === "string" && { was }) };
  }),
});

interface Decision {
  readonly id: string;
  readonly accepted: boolean;
  readonly rejected?: boolean | undefined;
  readonly changes?: number | undefined;
  readonly refusal?: string | undefined;
}

function tellDecision({ id, accepted, rejected, changes = 0, refusal }: Decision): string {
  if (rejected) return `Rejected ${id}.`;
  const done = accepted ? `Accepted ${id}` : `Not accepted; ${id} goes on waiting`;
  return `${done}: ${counted(changes, "change")}.${refusal === undefined ? "" : ` ${refusal}`}`;
}

function rowOf({ id, kind, by, trust, time, text: why, changes }: Item): string {
  const each = changes.map(
    ({ op, id: memory, text, was }) =>
      `  ${op} ${memory}: ${was === undefined ? "" : `${quoted(was)} becomes `}${quoted(text)}`,
  );
  const head = `${id} (${kind}, by ${by}, trust ${trust}, ${time})`;
  return [`${head}${why === undefined ? "" : `: ${quoted(why)}`}`, ...each].join("\n");
}
