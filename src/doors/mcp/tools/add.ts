import * as z from "zod";
import { PalimpsestError } from "../../../session/index.js";
import { scopeMeant } from "../../cli/scope-words.js";
import { unlisted } from "../arguments.js";
import { about, saying, scopeWord } from "../fields.js";
import { said } from "../telling.js";
import { tool } from "../tool.js";
import { judged, tellVerdict, verdictOf, verdictOut } from "../verdicts.js";

export const add = tool({
  name: "memory_add",
  title: "Remember",
  description:
    "Call it when something lasting is learnt: one fact, decision or preference as text, or as subject + predicate + object. " +
    "A topic has one current value (backend-language). To correct a memory call memory_update.",
  kind: "add",
  isAlwaysLoaded: true,
  aliases: {
    text: ["content", "fact", "memory", "observation", "statement", "note", "query", "question"],
    object: ["value", "new_value"],
    evidence: ["source_text", "because"],
  },
  example: { text: "Staging listens on port 6543.", topic: "staging-port" },
  input: z.strictObject({
    ...saying,
    scope: scopeWord.optional().describe("shared, project, an agent; session, temporary; else a category"),
    ...about,
    topic: z.string().max(256).optional(),
    type: z.string().max(64).optional().describe("note for long texts"),
    evidence: unlisted(z.string().max(2_000).optional()),
    sensitivity: z.enum(["normal", "private", "confidential"]).optional(),
  }),
  output: verdictOut,
  async run({ session, sight, wrote }, { text, subject, predicate, object, scope, ...rest }) {
    const saying = said({ text, subject, predicate, object });
    if (saying.text === undefined && saying.triple === undefined)
      throw new PalimpsestError("INVALID_TEXT", "There is nothing to remember.", {
        hint: "Give text, or subject, predicate and object.",
      });
    const meant = scopeMeant(scope, sight);
    if (meant.lifetime === "session") wrote.forSession = true;
    const { confidence, tags, topic, type, sensitivity, evidence } = rest;
    const input = {
      ...saying,
      ...meant,
      ...(confidence !== undefined && { confidence }),
      ...(tags && { tags }),
      ...(topic !== undefined && { topic }),
      ...(type !== undefined && { type }),
      ...(evidence !== undefined && { evidence }),
      ...(sensitivity !== undefined && { sensitivity }),
    };
    const verdict = await judged(session, () => session.remember(input));
    return verdictOf(verdict, sight, { category: meant.category }, "new");
  },
  tell: tellVerdict("Stored"),
});
