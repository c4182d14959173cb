import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { metaOf, WRITING } from "../fields.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { answerVerdict } from "../verdict-lines.js";

export const command: Command = {
  name: "commit",
  summary: "record a milestone: what the branch is for, how far it is, what this adds",
  options: [
    { flags: "-m, --message <text>", description: "the milestone in a line" },
    { flags: "--contribution <text>", description: "what it adds; the message if left out" },
    { flags: "--decision <text>", description: "what was decided, in a sentence" },
    { flags: "--roadmap <text>", description: "the plan of the whole work from now on" },
    WRITING.meta,
  ],
  examples: [
    'pal commit --message "Parser works" --contribution "All 40 samples parse; errors have positions."',
  ],
  async run(call) {
    const { options } = call;
    const message = options.text("message");
    if (message === undefined) throw usage("A milestone needs a message.", "Say --message <text>.");
    const verdict = await withSession(call, "creatable", (session) =>
      session.commit(message, {
        ...given(options, "contribution", "decision", "roadmap"),
        ...metaOf(options),
      }),
    );
    return answerVerdict(call, verdict, "recorded");
  },
};
