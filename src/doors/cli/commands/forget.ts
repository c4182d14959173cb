import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { WRITING, writingOf } from "../fields.js";
import { named, PART } from "../named.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { answerVerdict, answerVerdicts } from "../verdict-lines.js";

export const command: Command = {
  name: "forget",
  summary: "forget memories: gone from now on, still in history",
  args: [
    {
      name: "<id...>",
      description: "whole ids as they are shown, or topics; with --part 6 or more first or last characters",
    },
  ],
  options: [
    { flags: "--reason <text>", description: "why; kept in the commit" },
    { flags: "--tree", description: "with everything below; else children move up" },
    { flags: "--scope <scope>", description: "where they live, if an id is in several scopes" },
    PART,
    WRITING.message,
    WRITING.dryRun,
  ],
  examples: ['pal forget my-note --reason "It was a joke"', "pal forget --part 8f3a9c2e"],
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
      const verdict = await withSession(call, "existing", async (session) => {
        const { id, ...place } = await named(session, only, options, given(options, "scope"));
        return session.forget(id, { ...how, ...place });
      });
      return answerVerdict(call, verdict, "forgotten");
    }
    if (options.flag("part"))
      throw usage(
        "With --part one memory is forgotten at a time.",
        "Give one id, or whole ids without --part.",
      );
    const verdicts = await withSession(call, "existing", (session) => session.forgetMany(ids, how));
    return answerVerdicts(call, verdicts, "forgotten");
  },
};
