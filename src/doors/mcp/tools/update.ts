import * as z from "zod";
import { PalimpsestError, type Session, VERBS } from "../../../session/index.js";
import { unlisted } from "../arguments.js";
import { about, argument, home, id, part, saying } from "../fields.js";
import { meantBy } from "../meant-by.js";
import { said } from "../telling.js";
import { placeMeant, tool } from "../tool.js";
import { judged, tellVerdict, verdictOf, verdictOut } from "../verdicts.js";

const { options: OPTIONS } = VERBS.update;

export const update = tool({
  name: "memory_update",
  title: "Correct a memory",
  description:
    "Call it when a memory is no longer right; only what you give changes. What should go altogether: memory_forget.",
  kind: "repeatable",
  aliases: {
    id: ["memory_id", "topic"],
    text: ["content", "fact", "new_text", "memory"],
    new_value: ["value"],
  },
  example: { id: "staging-port", text: "Staging listens on port 7654.", reason: "moved" },
  input: z.strictObject({
    id: id.optional().describe("or topic"),
    scope: home,
    ...saying,
    new_value: unlisted(part.optional()),
    ...about,
    if_version: z.int().min(1).optional().describe("the version you read"),
    reason: argument(OPTIONS.message, { max: 500 }),
  }),
  output: verdictOut,
  async run(
    { session, sight },
    { id: named, scope, if_version, reason, confidence, tags, new_value: value, ...saying },
  ) {
    const { id: given, triple } = await meantBy(session, named, saying);
    const { text, subject, predicate, object } =
      value === undefined
        ? saying
        : triple
          ? { ...saying, ...triple, object: value }
          : { ...saying, text: value };
    const change = {
      ...said({ text, subject, predicate, object }),
      ...(confidence !== undefined && { confidence }),
      ...(tags && { tags }),
    };
    if (Object.keys(change).length === 0)
      throw new PalimpsestError("INVALID_FIELD", "Nothing to change was given.", {
        hint: "Give text, a triple, confidence or tags.",
      });
    const place = placeMeant(scope, sight);
    const ifHash = if_version === undefined ? undefined : await hashOf(session, given, if_version, place);
    const verdict = judged(session, () =>
      session.update(given, change, {
        ...place,
        ...(ifHash !== undefined && { ifHash }),
        ...(reason !== undefined && { message: reason }),
      }),
    );
    return verdictOf(await verdict, sight);
  },
  tell: tellVerdict("Updated"),
});

async function hashOf(
  session: Session,
  id: string,
  version: number,
  place: { readonly scope?: string },
): Promise<string> {
  const hash = (await session.history(id, place)).find((item) => item.version === version)?.hash;
  if (hash === undefined)
    throw new PalimpsestError("NOT_FOUND", `${id} has no version ${version}.`, {
      hint: "See its versions with memory_history.",
    });
  return hash;
}
