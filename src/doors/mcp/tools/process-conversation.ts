import * as z from "zod";
import { VERBS } from "../../../session/index.js";
import { argument } from "../fields.js";
import { counted, fitting, quoted } from "../telling.js";
import { tool } from "../tool.js";

const BUDGET = 4_000;

const fact = z.object({
  op: z.string(),
  subject: z.string(),
  predicate: z.string(),
  object: z.string(),
  text: z.string(),
  evidence: z.string(),
  turn: z.number(),
  confidence: z.number(),
  action: z.string(),
  reason: z.string(),
  accepted: z.boolean(),
  replaces: z.array(z.object({ id: z.string(), text: z.string() })).optional(),
});

const { options: OPTIONS } = VERBS.processConversation;

export const processConversation = tool({
  name: "process_conversation",
  title: "Facts out of a conversation",
  description:
    "Finds durable facts in messages of a conversation and stages them for review, each with the words it rests on. " +
    "Use it at the end of a session instead of many memory_add.",
  kind: "add",
  aliases: { messages: ["conversation"], session_id: ["session"] },
  example: { messages: [{ role: "user", content: "My sister is called Mia." }] },
  input: z.strictObject({
    messages: z
      .array(
        z.strictObject({
          role: z.enum(["user", "assistant", "system", "tool"]),
          content: z.string(),
          name: z.string().optional(),
        }),
      )
      .max(2_000),
    session_id: argument(OPTIONS.session),
    dry_run: argument(OPTIONS.dryRun),
  }),
  output: z.object({
    facts: z.array(fact),
    left: z.number(),
    proposals: z.array(z.object({ id: z.string(), kind: z.string(), accepted: z.boolean() })),
    by: z.string(),
    notes: z.array(z.string()),
  }),
  async run({ session }, { messages, session_id, dry_run }, { model, signal }) {
    const report = await session.processConversation(
      messages.map(({ name, ...message }) => ({ ...message, ...(name !== undefined && { name }) })),
      {
        signal,
        ...(model && { model }),
        ...(session_id !== undefined && { session: session_id }),
        ...(dry_run && { dryRun: true }),
      },
    );
    const all = report.facts.map(
      ({ op, triple, text, evidence, turn, confidence, action, reason, accepted, replaces }) => ({
        ...{ op, ...triple, text, evidence, turn, confidence, action, reason, accepted },
        ...(replaces && { replaces: replaces.map((one) => ({ ...one })) }),
      }),
    );
    const { items: facts, left } = fitting(all, BUDGET);
    const notes = [
      ...report.notes,
      ...report.refused.map(({ said, reason }) => `Left out: ${said} (${reason})`),
    ];
    return { facts: [...facts], left, proposals: [...report.proposals], by: report.by, notes };
  },
  tell({ facts, left, proposals, by, notes }) {
    const head = `${counted(facts.length + left, "fact")} found by ${by}; ${counted(proposals.length, "proposal")} staged.`;
    const more = left > 0 ? [`${counted(left, "more fact")} did not fit.`] : [];
    const staged = proposals.map(
      ({ id, kind, accepted }) => `${accepted ? "accepted" : "waits"}: ${kind} ${id}`,
    );
    return [head, ...facts.map(rowOf), ...more, ...staged, ...notes].join("\n");
  },
});

const rowOf = ({ replaces = [], ...of }: z.input<typeof fact>): string =>
  [
    `- ${of.op} ${of.action}${of.accepted ? "" : " (not accepted)"}: ${quoted(of.text)}`,
    `[${[of.subject, of.predicate, of.object].map((part) => quoted(part)).join(" ")}]`,
    `rests on ${quoted(of.evidence)} in turn ${of.turn}, confidence ${of.confidence}, ${of.reason}`,
    ...replaces.map((old) => `; in place of ${old.id}: ${quoted(old.text)}`),
  ].join(" ");
