import type { Command } from "../command.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { shortHash } from "../show.js";

export const command: Command = {
  name: "delete-branch",
  summary: "delete a branch that nobody is on; main always stays",
  args: [{ name: "<name>", description: "the branch" }],
  examples: ["pal delete-branch what-if"],
  async run(call) {
    const [name = ""] = call.args;
    const { out } = call;
    const { branch, op } = await withSession(call, "existing", async (session) => ({
      branch: await session.deleteBranch(name),
      op: (await session.ops({ limit: 1 }))[0]?.op,
    }));
    await out.answer(branch, (paint) => [
      line`${paint.green("✓")} branch ${paint.bold(branch.name)} deleted; it was at ${paint.yellow(shortHash(branch.head))}`,
    ]);
    if (!out.json && op !== undefined) await out.talk(line`  \`pal undo ${shortHash(op)}\` brings it back.`);
    return 0;
  },
};
