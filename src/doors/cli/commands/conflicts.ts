import type { Command } from "../command.js";
import { conflictLines } from "../merge-lines.js";
import { withSession } from "../open.js";
import { plural } from "../show.js";

export const command: Command = {
  name: "conflicts",
  summary: "what merges left open: every contested field, who says what",
  at: true,
  examples: ["pal conflicts"],
  async run(call) {
    const { globals, out } = call;
    const found = await withSession(call, "existing", (session) =>
      session.conflicts(globals.at === undefined ? {} : { at: globals.at }),
    );
    await out.answer(found, () => conflictLines(found, out));
    if (!out.json)
      await out.talk(
        out.talkPaint.dim(found.length === 0 ? "nothing is contested" : plural(found.length, "conflict")),
      );
    return 0;
  },
};
