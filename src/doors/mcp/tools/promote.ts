import * as z from "zod";
import { VERBS } from "../../../session/index.js";
import { argument } from "../fields.js";
import { tool } from "../tool.js";
import { tellVerdict, verdictOf, verdictOut } from "../verdicts.js";

const { options: OPTIONS } = VERBS.promote;

export const promote = tool({
  name: "memory_promote",
  title: "Promote a note to memory",
  description:
    "Take an entry of the scratchpad into the palace. Sum it up in sentences (5-500 words, no raw output) and give the reason. " +
    "Without room and drawer it goes where such things are. What contradicts the drawer or is a week old waits for a person.",
  kind: "add",
  aliases: { session: ["session_id"], summary: ["text", "content"] },
  example: { key: "build", summary: "The build takes nine minutes on average.", reason: "planning needs it" },
  input: z.strictObject({
    key: z.string().min(1).max(256),
    session: z.string().min(1).max(128).optional(),
    summary: z.string().min(1).max(10_000),
    reason: z.string().min(1).max(2_000),
    room: z.string().min(1).max(128).optional(),
    drawer: z.string().min(1).max(128).optional(),
    confidence: z.number().min(0).max(1).optional(),
    dry_run: argument(OPTIONS.dryRun),
  }),
  output: verdictOut,
  async run({ session, sight }, { dry_run: dryRun, ...request }) {
    const verdict = await session.promote(request, dryRun ? { dryRun } : {});
    return verdictOf(verdict, sight, { place: verdict.place }, "new");
  },
  tell: tellVerdict("Promoted"),
});
