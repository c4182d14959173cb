import * as z from "zod";
import { VERBS } from "../../../session/index.js";
import { unlisted } from "../arguments.js";
import { argument, home, id, part } from "../fields.js";
import { meantBy } from "../meant-by.js";
import { placeMeant, tool } from "../tool.js";
import { tellVerdict, verdictOf, verdictOut } from "../verdicts.js";

const { options: OPTIONS } = VERBS.forget;

export const forget = tool({
  name: "memory_forget",
  title: "Forget a memory",
  description:
    "Call it when a memory is wrong or gone; memory_history still shows it. What only changed: memory_update.",
  kind: "repeatable",
  aliases: { id: ["memory_id", "topic"], reason: ["why", "because"] },
  example: { id: "staging-port", reason: "the server is gone" },
  input: z.strictObject({
    id: id.optional(),
    scope: home,
    subject: unlisted(part.optional()),
    predicate: unlisted(part.optional()),
    reason: argument(OPTIONS.reason, { max: 500 }),
  }),
  output: verdictOut,
  async run({ session, sight }, { id: named, scope, reason, ...saying }) {
    const { id: given } = await meantBy(session, named, saying);
    const verdict = await session.forget(given, {
      ...placeMeant(scope, sight),
      ...(reason !== undefined && { reason }),
    });
    return verdictOf(verdict, sight);
  },
  tell: tellVerdict("Forgot"),
});
