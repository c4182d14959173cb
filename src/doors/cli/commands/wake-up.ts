import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { at } from "../globals.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { plural } from "../show.js";

const { options: OPTIONS } = VERBS.wakeUp;

export const command: Command = {
  name: "wake-up",
  summary: "what a new session should know: who it is, where the work stands, what is open",
  options: flagsOf(OPTIONS, "about", "budget"),
  at: true,
  examples: ['pal wake-up --about "the crawler"', "pal wake-up --session s1 --json"],
  async run(call) {
    const { options, out } = call;
    const found = await withSession(call, "creatable", (session) =>
      session.wakeUp({ ...valuesOf(options, OPTIONS, "about", "budget"), ...at(call) }),
    );
    await out.answer(found, () => [
      ...found.text.split("\n").map((row) => line`${row}`),
      ...(found.open === 0 ? [line`No unresolved conflicts in palace.`] : []),
      line`Branch ${found.branch}. Keep this commit to check the past later: ${found.commit}`,
    ]);
    if (!out.json)
      await out.talk(out.talkPaint.dim(`${found.tokens} tokens, ${plural(found.loaded.length, "item")}`));
    return 0;
  },
};
