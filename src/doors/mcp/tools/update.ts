import * as z from "zod";
import { PalimpsestError, type Session } from "../../../session/index.js";
import { about, home, id, saying } from "../fields.js";
import { placeMeant } from "../place-meant.js";
import { said } from "../said.js";
import { tool } from "../tool.js";
import { judged, tellVerdict, verdictOf, verdictOut } from "../verdicts.js";

export const update = tool({
  name: "memory_update",
  title: "Correct a memory",
  description: "Change what is no longer right. Only what you give changes; memory_history has the rest.",
  kind: "repeatable",
  input: z.strictObject({
    id,
    scope: home,
    ...saying,
    ...about,
    if_version: z
      .int()
      .min(1)
      .optional()
      .describe("the version you read; changes since are kept beside yours"),
    reason: z.string().max(500).optional(),
  }),
  output: verdictOut,
  async run(
    { session, sight },
    { id: given, scope, text, subject, predicate, object, confidence, tags, if_version, reason },
  ) {
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
