import type { Command } from "../command.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { shortHash } from "../show.js";

export const command: Command = {
  name: "create-branch",
  summary: "make a branch: another persona, or a place to try things",
  args: [{ name: "<name>", description: "its name: letters, digits and . _ -" }],
  options: [
    { flags: "--persona <name>", description: "whose mind it is; default the name of the branch" },
    { flags: "--purpose <text>", description: "what it is for" },
    {
      flags: "--from <point>",
      description: "a commit, branch, tag, snapshot or time, HEAD~2; default where you are",
    },
  ],
  examples: [
    'pal create-branch work --persona engineer --purpose "Ship the release"',
    "pal create-branch what-if --from 2026-03-01",
  ],
  async run(call) {
    const [name = ""] = call.args;
    const { options, out } = call;
    const made = await withSession(call, "creatable", (session) =>
      session.createBranch(name, given(options, "persona", "purpose", "from")),
    );
    await out.answer(made, (paint) => [
      line`${paint.green("✓")} branch ${paint.bold(made.name)} made at ${paint.yellow(shortHash(made.head))}${paint.dim(made.persona === made.name ? "" : ` (persona ${made.persona})`)}`,
    ]);
    if (!out.json) await out.talk(line`  \`pal checkout ${made.name}\` goes there.`);
    return 0;
  },
};
