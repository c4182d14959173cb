import * as z from "zod";
import { PalimpsestError } from "../../../session/index.js";
import { scopeMeant } from "../../cli/scope-words.js";
import { about, saying, scopeWord } from "../fields.js";
import { said } from "../said.js";
import { tool } from "../tool.js";
import { judged, tellVerdict, verdictOf, verdictOut } from "../verdicts.js";

export const add = tool({
  name: "memory_add",
  title: "Remember",
  description:
    "Store one lasting fact, decision or preference: either text, or subject + predicate + object. One fact per call. " +
    "Give topic when the fact has one current value that replaces the last (backend-language). " +
    "The verdict tells whether it was stored and, if not, what to do.",
  kind: "add",
  input: z.strictObject({
    ...saying,
    scope: scopeWord
      .optional()
      .describe("shared, project, an agent's name; or permanent, session, temporary; else a category"),
    ...about,
    topic: z.string().max(256).optional(),
    type: z.string().max(64).optional().describe("fact; note for long texts"),
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
    const { confidence, tags, topic, type, sensitivity } = rest;
    const input = {
      ...saying,
      ...meant,
      ...(confidence !== undefined && { confidence }),
      ...(tags && { tags }),
      ...(topic !== undefined && { topic }),
      ...(type !== undefined && { type }),
      ...(sensitivity !== undefined && { sensitivity }),
    };
    const verdict = await judged(session, () => session.remember(input));
    return verdictOf(verdict, sight, { category: meant.category }, "new");
  },
  tell: tellVerdict("Stored"),
});
