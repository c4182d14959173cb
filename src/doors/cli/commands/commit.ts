import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { flagsOf, valuesOf } from "../flags.js";
import { withSession } from "../open.js";
import { answerVerdict } from "../verdict-lines.js";

const { options: OPTIONS } = VERBS.commit;
const OWN = ["contribution", "decision", "roadmap", "meta"] as const;

export const command: Command = {
  name: "commit",
  summary: "record a milestone: what the branch is for, how far it is, what this adds",
  options: [
    { flags: "-m, --message <text>", description: "the milestone in a line" },
    ...flagsOf(OPTIONS, ...OWN),
  ],
  examples: [
    'pal commit --message "Parser works" --contribution "All 40 samples parse; errors have positions."',
  ],
  async run(call) {
    const { options } = call;
    const message = options.text("message");
    if (message === undefined) throw usage("A milestone needs a message.", "Say --message <text>.");
    const verdict = await withSession(call, "creatable", (session) =>
      session.commit(message, valuesOf(options, OPTIONS, ...OWN)),
    );
    return answerVerdict(call, verdict, "recorded");
  },
};
