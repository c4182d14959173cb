import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { shortHash } from "../show.js";

export const command: Command = {
  name: "tag",
  summary: "name a commit for good: an address for --at, diff and rollback",
  args: [
    { name: "<name>", description: "letters, digits and . _ -" },
    { name: "[point]", description: "a commit, branch, snapshot or time; default where you are" },
  ],
  options: [{ flags: "--delete", description: "take the tag away; the commit stays" }],
  examples: ["pal tag before-the-move", "pal tag v1 9f3a1c2b4d5e", "pal tag --delete v1"],
  async run(call) {
    const [name = "", point] = call.args;
    const { options, out } = call;
    const isGone = options.flag("delete");
    if (isGone && point !== undefined)
      throw usage(
        "--delete takes the name of a tag and nothing else.",
        `For example pal tag --delete ${name}.`,
      );
    const tag = await withSession(call, "existing", (session) =>
      isGone ? session.deleteTag(name) : session.tag(name, point),
    );
    const did = isGone ? "deleted; it was at" : "stands at";
    await out.answer(tag, (paint) => [
      line`${paint.green("✓")} tag ${paint.bold(tag.name)} ${did} ${paint.yellow(shortHash(tag.commit))}`,
    ]);
    return 0;
  },
};
