import * as z from "zod";
import { home, id } from "../fields.js";
import { placeMeant } from "../place-meant.js";
import { tool } from "../tool.js";
import { tellVerdict, verdictOf, verdictOut } from "../verdicts.js";

export const forget = tool({
  name: "memory_forget",
  title: "Forget a memory",
  description: "Stop believing a memory. It leaves searches; memory_history shows it. Say why.",
  kind: "repeatable",
  input: z.strictObject({ id, scope: home, reason: z.string().max(500).optional() }),
  output: verdictOut,
  async run({ session, sight }, { id: given, scope, reason }) {
    const verdict = await session.forget(given, {
      ...placeMeant(scope, sight),
      ...(reason !== undefined && { reason }),
    });
    return verdictOf(verdict, sight);
  },
  tell: tellVerdict("Forgot"),
});
