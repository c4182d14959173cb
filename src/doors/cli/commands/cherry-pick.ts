import type { Command } from "../command.js";
import { WRITING } from "../fields.js";
import { answerMerge } from "../merge-lines.js";
import { asNamed, PICKING, pickingOf } from "../named.js";
import { withSession } from "../open.js";

export const command: Command = {
  name: "cherry-pick",
  summary: "bring what one commit changed into your branch, and nothing else",
  args: [PICKING.commit],
  options: [PICKING.mainline, WRITING.message],
  examples: ["pal cherry-pick 9f3a1c2b4d5e"],
  async run(call) {
    const [commit = ""] = call.args;
    const done = await withSession(call, "existing", (session) =>
      session.cherryPick(commit, pickingOf(call.options)),
    );
    return answerMerge(call, done, `picked ${asNamed(commit)}`);
  },
};
