import type { Command } from "../command.js";
import { line } from "../line.js";
import { withSession } from "../open.js";

export const command: Command = {
  name: "rename-branch",
  summary: "give a branch another name; whoever is on it comes along",
  args: [
    { name: "<name>", description: "the branch" },
    { name: "<new-name>", description: "a name that is free" },
  ],
  examples: ["pal rename-branch work office"],
  async run(call) {
    const [from = "", to = ""] = call.args;
    const branch = await withSession(call, "existing", (session) => session.renameBranch(from, to));
    await call.out.answer(branch, (paint) => [
      line`${paint.green("✓")} branch ${from} is now ${paint.bold(branch.name)}`,
    ]);
    return 0;
  },
};
