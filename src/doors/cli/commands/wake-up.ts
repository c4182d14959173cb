import type { Command } from "../command.js";
import { at } from "../globals.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { plural } from "../show.js";

export const command: Command = {
  name: "wake-up",
  summary: "what a new session should know: who it is, where the work stands, what is open",
  options: [
    { flags: "--about <text>", description: "what the session is going to be about" },
    { flags: "--budget <tokens>", description: "at most about so many tokens; 900 unless given" },
  ],
  at: true,
  examples: ['pal wake-up --about "the crawler"', "pal wake-up --session s1 --json"],
  async run(call) {
    const { options, out } = call;
    const [about, budget] = [options.text("about"), options.count("budget")];
    const found = await withSession(call, "creatable", (session) =>
      session.wakeUp({
        ...(about !== undefined && { about }),
        ...(budget !== undefined && { budget }),
        ...at(call),
      }),
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
