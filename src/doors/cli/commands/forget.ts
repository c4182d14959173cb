import type { Command } from "../command.js";
import { WRITING, writingOf } from "../fields.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { answerVerdict } from "../verdict-lines.js";

export const command: Command = {
  name: "forget",
  summary: "forget a memory: gone from now on, still in history",
  args: [{ name: "<id>", description: "its id or topic, or 6 or more of the id's first or last characters" }],
  options: [
    { flags: "--reason <text>", description: "why; kept in the commit" },
    { flags: "--tree", description: "with everything below it; else its children move up" },
    { flags: "--scope <scope>", description: "where it lives, if the id is in several scopes" },
    WRITING.message,
    WRITING.dryRun,
  ],
  examples: ['pal forget 8f3a9c2e --reason "It was a joke"'],
  async run(call) {
    const [id = ""] = call.args;
    const { options } = call;
    const verdict = await withSession(call, "existing", (session) =>
      session.forget(id, {
        ...given(options, "scope", "reason"),
        ...(options.flag("tree") && { tree: true }),
        ...writingOf(options),
      }),
    );
    return answerVerdict(call, verdict, "forgotten");
  },
};
