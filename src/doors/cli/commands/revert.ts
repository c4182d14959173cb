import type { Command } from "../command.js";
import { WRITING } from "../fields.js";
import { answerMerge } from "../merge-lines.js";
import { asNamed, PICKING, pickingOf } from "../named.js";
import { withSession } from "../open.js";

export const command: Command = {
  name: "revert",
  summary: "take back what one commit changed, as a new commit; later work stays",
  args: [PICKING.commit],
  options: [PICKING.mainline, WRITING.message],
  examples: ["pal revert 9f3a1c2b4d5e", "pal revert 9f3a1c2b4d5e --mainline 1"],
  async run(call) {
    const [commit = ""] = call.args;
    const done = await withSession(call, "existing", (session) =>
      session.revert(commit, pickingOf(call.options)),
    );
    return answerMerge(call, done, `reverted ${asNamed(commit)}`);
  },
};
