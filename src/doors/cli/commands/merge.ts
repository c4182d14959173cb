import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { line } from "../line.js";
import { answerMerge, withCommit } from "../merge-lines.js";
import { withSession } from "../open.js";

const { options: OPTIONS } = VERBS.merge;
const OWN = ["into", "noFf", "message", "dryRun"] as const;

export const command: Command = {
  name: "merge",
  summary: "bring another branch into yours; what collides is kept from both sides",
  args: [{ name: "<source>", description: "the branch to bring in" }],
  options: flagsOf(OPTIONS, ...OWN),
  examples: ["pal merge work", "pal merge work --dry-run", "pal merge work --into main --no-ff"],
  async run(call) {
    const [source = ""] = call.args;
    const { options, out } = call;
    const done = await withSession(call, "existing", (session) =>
      session.merge(source, valuesOf(options, OPTIONS, ...OWN)),
    );
    if (done.kind === "up-to-date") {
      await out.answer(withCommit(done), (paint) => [
        line`${paint.yellow("=")} ${done.into} has everything of ${done.source} already`,
      ]);
      return 0;
    }
    const would = options.flag("dryRun");
    const how =
      done.kind === "fast-forward"
        ? `${done.into} ${would ? "would move" : "moved"} on to ${done.source}`
        : `${would ? "would merge" : "merged"} ${done.source} into ${done.into}`;
    return answerMerge(call, done, how);
  },
};
