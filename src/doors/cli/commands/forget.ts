import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { WRITING, writingOf } from "../fields.js";
import { flagsOf, valuesOf } from "../flags.js";
import { named, PART } from "../named.js";
import { withSession } from "../open.js";
import { answerVerdict, answerVerdicts } from "../verdict-lines.js";

const { options: OPTIONS } = VERBS.forget;
const OWN = ["reason", "tree", "scope"] as const;

export const command: Command = {
  name: "forget",
  summary: "forget memories: gone from now on, still in history",
  args: [
    {
      name: "<id...>",
      description: "whole ids as they are shown, or topics; with --part 6 or more first or last characters",
    },
  ],
  options: [...flagsOf(OPTIONS, ...OWN), PART, WRITING.message, WRITING.dryRun],
  examples: ['pal forget my-note --reason "It was a joke"', "pal forget --part 8f3a9c2e"],
  async run(call) {
    const { options } = call;
    const how = { ...valuesOf(options, OPTIONS, ...OWN), ...writingOf(options) };
    const ids = call.args.flat().filter((id) => id !== undefined);
    const [only = "", ...more] = ids;
    if (more.length === 0) {
      const verdict = await withSession(call, "existing", async (session) => {
        const { id, ...place } = await named(session, only, options, valuesOf(options, OPTIONS, "scope"));
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
