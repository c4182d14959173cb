import * as z from "zod";
import { tool } from "../tool.js";

export const wakeUp = tool({
  name: "memory_wake_up",
  title: "Wake up",
  description: "New session: who you are, where work stands, what is open.",
  kind: "read",
  input: z.strictObject({ about: z.string().max(2_000).optional() }),
  output: z.object({ tokens: z.number() }),
  async run({ session }, { about }) {
    const { text, tokens } = await session.wakeUp(about === undefined ? {} : { about });
    return { text, data: { tokens } };
  },
});
