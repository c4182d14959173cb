import type { Command } from "../command.js";
import { WRITING, writingOf } from "../fields.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { answerVerdict, answerVerdicts } from "../verdict-lines.js";

export const command: Command = {
  name: "forget",
  summary: "forget memories: gone from now on, still in history",
  args: [{ name: "<id...>", description: "ids or topics, or 6 or more of an id's first or last characters" }],
  options: [
    { flags: "--reason <text>", description: "why; kept in the commit" },
    { flags: "--tree", description: "with everything below; else children move up" },
    { flags: "--scope <scope>", description: "where they live, if an id is in several scopes" },
    WRITING.message,
    WRITING.dryRun,
  ],
  examples: ['pal forget 8f3a9c2e --reason "It was a joke"', "pal forget 8f3a9c2e my-note"],
  async run(call) {
    const { options } = call;
    const how = {
      ...given(options, "scope", "reason"),
      ...(options.flag("tree") && { tree: true }),
      ...writingOf(options),
    };
    const ids = call.args.flat().filter((id) => id !== undefined);
    const [only = "", ...more] = ids;
    if (more.length === 0) {
      const verdict = await withSession(call, "existing", (session) => session.forget(only, how));
      return answerVerdict(call, verdict, "forgotten");
    }
    const verdicts = await withSession(call, "existing", (session) => session.forgetMany(ids, how));
    return answerVerdicts(call, verdicts, "forgotten");
  },
};
