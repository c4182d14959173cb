import * as z from "zod";
import { shortHash } from "../../../session/index.js";
import { id } from "../fields.js";
import { cut, quoted } from "../telling.js";
import { tool } from "../tool.js";

export const blame = tool({
  name: "memory_blame",
  title: "Who said so",
  description: "For each field of a memory: its value, who set it, when, and in which commit.",
  kind: "read",
  aliases: { id: ["memory_id", "topic"] },
  example: { id: "staging-port" },
  input: z.strictObject({ id }),
  output: z.object({
    fields: z.array(
      z.object({
        field: z.string(),
        value: z.string().optional(),
        commit: z.string(),
        time: z.string(),
        by: z.string(),
        contested: z.boolean(),
      }),
    ),
  }),
  async run({ session }, { id: given }) {
    const fields = (await session.blame(given)).map(({ field, value, commit, time, author, contested }) => ({
      ...{ field, commit: shortHash(commit), time, by: author.id, contested: contested === true },
      ...(value !== undefined && {
        value: cut(typeof value === "string" ? value : JSON.stringify(value), 500),
      }),
    }));
    return { fields };
  },
  tell: ({ fields }) =>
    fields
      .map(
        ({ field, value, time, by, commit, contested }) =>
          `${field} = ${value === undefined ? "?" : quoted(value)} (${by}, ${time}, commit ${commit}${contested ? ", contested" : ""})`,
      )
      .join("\n"),
});
