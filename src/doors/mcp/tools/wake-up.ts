import * as z from "zod";
import { VERBS } from "../../../session/index.js";
import { argument } from "../fields.js";
import { tool } from "../tool.js";

const { options: OPTIONS } = VERBS.wakeUp;

export const wakeUp = tool({
  name: "memory_wake_up",
  title: "Wake up",
  description:
    "Call it once, when a session begins: who you are, where work stands, what is open. Later call memory_recall.",
  kind: "read",
  aliases: { about: ["query", "question", "topic", "text", "task", "content"] },
  example: { about: "the crawler" },
  input: z.strictObject({ about: argument(OPTIONS.about, { max: 2_000 }) }),
  output: z.object({ text: z.string() }),
  async run({ session }, { about }) {
    const { text } = await session.wakeUp(about === undefined ? {} : { about });
    return { text };
  },
  tell: ({ text }) => text,
});
