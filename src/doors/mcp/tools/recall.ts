import * as z from "zod";
import { type Citation, HONEST, POSSIBLE, shortHash } from "../../../session/index.js";
import { bare, cut, quoted } from "../telling.js";
import { tool } from "../tool.js";

const quotation = z.object({
  text: z.string(),
  id: z.string(),
  scope: z.string().optional(),
  topic: z.string().optional(),
  when: z.string().optional(),
  by: z.string().optional(),
  speaker: z.string().optional(),
  session: z.string().optional(),
  turn: z.number().optional(),
  commit: z.string().optional(),
  uri: z.string().optional(),
  in_place_of: z.array(z.object({ id: z.string(), text: z.string(), when: z.string() })).optional(),
});
type Quotation = z.input<typeof quotation>;

/** A passage of a document may be long; it is read whole by its id. */
const LONGEST = 600;

export const recall = tool({
  name: "memory_recall",
  title: "Recall",
  description:
    "Call it before answering about the user, the project or earlier work: quotations with ids, or that it is unknown. " +
    "To look around call memory_search.",
  kind: "read",
  isAlwaysLoaded: true,
  aliases: { question: ["query", "q", "text", "content", "prompt", "search", "about"] },
  example: { question: "Which port does staging use?" },
  input: z.strictObject({ question: z.string().min(1).max(2_000) }),
  output: z.object({
    answered: z.boolean(),
    certainty: z.enum(["certain", "possible", "nothing"]),
    quotations: z.array(quotation),
    layer: z.string().optional(),
    disagreeing: z
      .array(z.object({ id: z.string(), says: z.string(), source: z.string(), when: z.string().optional() }))
      .optional(),
    unchecked: z.array(z.string()).optional(),
    nearest: quotation.optional(),
    says: z.string().optional(),
  }),
  async run({ session, layers }, { question }) {
    const { answered, certainty, layer, citations, disagreements, trace, nearest } = await session.recall(
      question,
      {
        layers,
      },
    );
    const unchecked = trace
      .filter(({ status }) => status === "unavailable")
      .map(({ layer: name, reason }) => (reason === undefined ? name : `${name}: ${cut(reason, 200)}`));
    return {
      answered,
      certainty,
      quotations: citations.map(quotationOf),
      ...(layer && { layer }),
      ...(disagreements.length > 0 && {
        disagreeing: disagreements.map(({ about, says, source, updatedAt }) => ({
          ...{ id: about, says: cut(says, LONGEST), source },
          ...(updatedAt !== undefined && { when: updatedAt.slice(0, 10) }),
        })),
      }),
      ...(unchecked.length > 0 && { unchecked }),
      ...(!answered && nearest && { nearest: quotationOf(nearest) }),
      // Said when it is true: every layer was asked, and none knows.
      ...(layer === "L5" && { says: HONEST }),
    };
  },
  tell({ answered, certainty, quotations, layer, disagreeing = [], unchecked = [], nearest, says }) {
    const rows = [
      ...(says !== undefined ? [says] : answered ? [] : ["Memory gave no answer."]),
      ...(certainty === "possible" ? [POSSIBLE] : []),
      ...quotations.map((one, at) => `[${at + 1}] ${rowOf(one)}`),
      ...disagreeing.map(
        ({ id, says: other, source, when }) =>
          `! Against ${id}: ${quoted(other)} (${[bare(source), when].filter((part) => part !== undefined).join(", ")})`,
      ),
      ...unchecked.map((one) => `I could not check ${bare(one)}`),
      ...(nearest ? [`Nearest, but not near enough: ${rowOf(nearest)}`] : []),
    ];
    return [...rows, ...(layer === undefined || layer === "L1" ? [] : [`(layer ${layer})`])].join("\n");
  },
});

const quotationOf = (of: Citation): Quotation => {
  const { text, id, scope, topic, author, speaker, session, turn, commit, uri } = of;
  const { inPlaceOf = [] } = of;
  const when = (of.saidAt ?? of.updatedAt)?.slice(0, 10);
  return {
    ...{ text: cut(text, LONGEST), id },
    ...(scope !== undefined && { scope }),
    ...(topic !== undefined && { topic }),
    ...(when !== undefined && { when }),
    ...(author !== undefined && speaker === undefined && { by: author.id }),
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(turn !== undefined && { turn }),
    ...(commit !== undefined && { commit: shortHash(commit) }),
    ...(uri !== undefined && uri !== id && { uri }),
    ...(inPlaceOf.length > 0 && {
      in_place_of: inPlaceOf.map((one) => ({
        ...{ id: one.id, text: cut(one.text, LONGEST), when: one.updatedAt.slice(0, 10) },
      })),
    }),
  };
};

function rowOf(of: Quotation): string {
  const { text, id, scope, topic, when, by, speaker, session, turn, commit, uri, in_place_of: old = [] } = of;
  const where = [
    when,
    `id ${bare(id)}`,
    scope,
    topic !== undefined && `topic ${bare(topic)}`,
    by !== undefined && `by ${by}`,
    session !== undefined && `session ${bare(session)}`,
    turn !== undefined && `turn ${turn}`,
    commit !== undefined && `commit ${commit}`,
    uri !== undefined && bare(uri),
  ];
  const who = speaker === undefined ? "" : `${bare(speaker)} said: `;
  const replaced = old.map((one) => ` in place of ${quoted(one.text)} (${one.when}, id ${bare(one.id)})`);
  return `${who}${quoted(text)} (${where.filter(Boolean).join(", ")})${replaced.join("")}`;
}
