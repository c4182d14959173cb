import type { Command } from "../command.js";
import { WRITING } from "../fields.js";
import { line } from "../line.js";
import { answerMerge, withCommit } from "../merge-lines.js";
import { withSession } from "../open.js";
import { given } from "../options.js";

export const command: Command = {
  name: "merge",
  summary: "bring another branch into yours; what collides is kept from both sides",
  args: [{ name: "<source>", description: "the branch to bring in" }],
  options: [
    { flags: "--into <branch>", description: "where to; default the branch you are on" },
    { flags: "--no-ff", description: "make a commit even if the branch could just move on" },
    WRITING.message,
    { flags: "--dry-run", description: "say what it would bring and what would collide; change nothing" },
  ],
  examples: ["pal merge work", "pal merge work --dry-run", "pal merge work --into main --no-ff"],
  async run(call) {
    const [source = ""] = call.args;
    const { options, out } = call;
    const done = await withSession(call, "existing", (session) =>
      session.merge(source, {
        ...given(options, "into", "message"),
        ...(options.flag("dryRun") && { dryRun: true }),
        // Commander turns --no-ff into ff: false.
        ...(options.has("ff") && { noFf: true }),
      }),
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
