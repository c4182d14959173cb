import * as z from "zod";
import { shortHash } from "../../../session/index.js";
import { cut, quoted } from "../telling.js";
import { tool } from "../tool.js";

const support = z.object({
  id: z.string(),
  text: z.string(),
  score: z.number(),
  commit: z.string(),
  by: z.string(),
  trust: z.string(),
  turn: z.number().optional(),
});

export const why = tool({
  name: "memory_why",
  title: "Why do we say this?",
  description:
    "Which memories a sentence (or an id) rests on, who brought them in, what was made from them, and the commands that set it right.",
  kind: "read",
  aliases: { said: ["text", "id", "query", "question", "content", "sentence"] },
  example: { said: "Staging listens on port 6543." },
  input: z.strictObject({ said: z.string().min(1).max(2_000) }),
  output: z.object({
    supports: z.array(support),
    against: z.array(support),
    derived: z.array(z.object({ id: z.string(), from: z.string() })),
    commands: z.array(z.string()),
  }),
  async run({ session }, { said }) {
    const found = await session.why(said);
    const told = (list: typeof found.supports) =>
      list.map(({ id, text, score, commit, author, trust, turn }) => ({
        ...{ id, text: cut(text, 400), score, commit: shortHash(commit), by: author.id, trust },
        ...(turn !== undefined && { turn }),
      }));
    const { fix, revert, taint } = found.commands;
    return {
      supports: told(found.supports),
      against: told(found.against),
      derived: found.derived.map(({ id, from }) => ({ id, from })),
      commands: [...fix, ...revert, ...taint],
    };
  },
  tell({ supports, against, derived, commands }) {
    return [
      ...(supports.length === 0 ? ["Nothing in memory says so."] : []),
      ...supports.map((one) => `Rests on ${rowOf(one)}`),
      ...against.map((one) => `Against it: ${rowOf(one)}`),
      ...derived.map(({ id, from }) => `Made from ${from}: ${id}`),
      ...commands.map((command) => `To set it right: ${command}`),
    ].join("\n");
  },
});

const rowOf = ({ id, text, score, commit, by, trust, turn }: z.input<typeof support>): string =>
  `${quoted(text)} (id ${id}, by ${by}, trust ${trust}, commit ${commit}, holds ${score} of it${turn === undefined ? "" : `, turn ${turn}`})`;
