import * as z from "zod";
import { id } from "../fields.js";
import { tool } from "../tool.js";
import { tellVerdict, verdictOut } from "../verdicts.js";

export const forget = tool({
  name: "memory_forget",
  title: "Forget a memory",
  description:
    "Stop believing a memory. It is gone from searches and stays in history; memory_history shows it. Say why in reason.",
  kind: "repeatable",
  input: z.strictObject({ id, reason: z.string().max(500).optional() }),
  output: verdictOut,
  async run({ session, sight }, { id: given, reason }) {
    const verdict = await session.forget(given, reason === undefined ? {} : { reason });
    return tellVerdict(verdict, "Forgot", sight);
  },
});
