import * as z from "zod";
import { tool } from "../tool.js";

export const recall = tool({
  name: "memory_recall",
  title: "Recall",
  description:
    "Ask before answering about the user, the project or earlier work: quotations with ids, or that it is unknown. Never guess.",
  kind: "read",
  input: z.strictObject({ question: z.string().min(1).max(2_000) }),
  output: z.object({ answered: z.boolean(), layer: z.string().optional(), ids: z.array(z.string()) }),
  async run({ session, layers }, { question }) {
    const { answered, layer, text, citations } = await session.recall(question, { layers });
    return {
      text,
      data: { answered, ...(layer && { layer }), ids: citations.map(({ id }) => id) },
    };
  },
});
