import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { shortHash } from "../show.js";

const { options: OPTIONS } = VERBS.createBranch;

export const command: Command = {
  name: "create-branch",
  summary: "make a branch: another persona, or a place to try things",
  args: [{ name: "<name>", description: "its name: letters, digits and . _ -" }],
  options: flagsOf(OPTIONS, "persona", "purpose", "from"),
  examples: [
    'pal create-branch work --persona engineer --purpose "Ship the release"',
    "pal create-branch what-if --from 2026-03-01",
  ],
  async run(call) {
    const [name = ""] = call.args;
    const { options, out } = call;
    const made = await withSession(call, "creatable", (session) =>
      session.createBranch(name, valuesOf(options, OPTIONS, "persona", "purpose", "from")),
    );
    await out.answer(made, (paint) => [
      line`${paint.green("✓")} branch ${paint.bold(made.name)} made at ${paint.yellow(shortHash(made.head))}${paint.dim(made.persona === made.name ? "" : ` (persona ${made.persona})`)}`,
    ]);
    if (!out.json) await out.talk(line`  \`pal checkout ${made.name}\` goes there.`);
    return 0;
  },
};
