import type { Command } from "../command.js";
import { line } from "../line.js";
import { withSession } from "../open.js";

export const command: Command = {
  name: "checkout",
  summary: "work on another branch from now on; remembered for each agent",
  args: [{ name: "<name>", description: "the branch" }],
  examples: ["pal checkout work"],
  async run(call) {
    const [name = ""] = call.args;
    const { out, io } = call;
    const { branch, agent } = await withSession(call, "existing", async (session) => ({
      branch: await session.checkout(name),
      agent: session.agent,
    }));
    await out.answer(branch, (paint) => [
      line`${paint.green("✓")} ${agent} is on ${paint.bold(branch.name)}${paint.dim([branch.name, "default"].includes(branch.persona) ? "" : ` (persona ${branch.persona})`)}`,
    ]);
    const fixed = io.env.PAL_BRANCH;
    if (fixed && fixed !== branch.name)
      await out.talk(
        line`${out.talkPaint.yellow("!")} $PAL_BRANCH is ${fixed} and wins over a checkout; unset it.`,
      );
    return 0;
  },
};
