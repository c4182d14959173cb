import type { Command } from "../command.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { shortHash, shortId } from "../show.js";

export const command: Command = {
  name: "snapshot",
  summary: "mark the present state, to come back to it",
  args: [{ name: "[label]", description: "with a label it stays; without one the last 20 are kept" }],
  examples: ["pal snapshot", "pal snapshot before-the-cleanup"],
  async run(call) {
    const [label] = call.args;
    const { out } = call;
    const made = await withSession(call, "existing", (session) => session.snapshot(label));
    await out.answer(made, (paint) => [
      line`${paint.green("✓")} snapshot ${paint.bold(made.label ?? shortId(made.snapshot))} of ${paint.yellow(shortHash(made.commit))}`,
    ]);
    if (!out.json)
      await out.talk(line`  \`pal rollback${label === undefined ? "" : ` ${label}`}\` comes back here.`);
    return 0;
  },
};
