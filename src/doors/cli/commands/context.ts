import type { Command } from "../command.js";
import { line } from "../line.js";
import { withSession } from "../open.js";

export const command: Command = {
  name: "context",
  summary: "what somebody who takes over a branch has to know, for a prompt",
  options: [
    { flags: "-k, --k <count>", description: "the last milestones to tell, with the steps since; default 1" },
    { flags: "--budget <tokens>", description: "at most about so many tokens; default 2000" },
    { flags: "--decisions", description: "only what was decided" },
  ],
  examples: ["pal context --branch parser --k 3 --budget 1000"],
  async run(call) {
    const { options, out } = call;
    const [k, budget] = [options.count("k"), options.count("budget")];
    const found = await withSession(call, "existing", (session) =>
      session.branchContext({
        ...(k !== undefined && { k }),
        ...(budget !== undefined && { budget }),
        ...(options.flag("decisions") && { view: "decisions" as const }),
      }),
    );
    await out.answer(found, () => found.text.split("\n").map((text) => line`${text}`));
    return 0;
  },
};
