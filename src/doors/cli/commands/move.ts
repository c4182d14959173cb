import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { WRITING, writingOf } from "../fields.js";
import { flagsOf, valuesOf } from "../flags.js";
import { named, PART, WRITE_ID } from "../named.js";
import { withSession } from "../open.js";
import { answerVerdict } from "../verdict-lines.js";

const { options: OPTIONS } = VERBS.move;

export const command: Command = {
  name: "move",
  summary: "take a memory to another scope, so that others see it",
  args: [
    { name: "<id>", description: WRITE_ID },
    { name: "<scope>", description: "where it goes: shared, agent/orion, project/site, …" },
  ],
  options: [...flagsOf(OPTIONS, "tree", "from"), PART, WRITING.message, WRITING.dryRun],
  examples: ["pal move --part 8f3a9c2e shared"],
  async run(call) {
    const [id = "", to = ""] = call.args;
    const { options } = call;
    const { scopeNamed } = await import("../named-scopes.js");
    const from = options.text("from");
    const verdict = await withSession(call, "existing", async (session) => {
      const where = from === undefined ? {} : { scope: scopeNamed(from, call) };
      const { id: meant, scope: home } = await named(session, id, options, where);
      return session.move(meant, scopeNamed(to, call), {
        ...(home !== undefined && { from: home }),
        ...valuesOf(options, OPTIONS, "tree"),
        ...writingOf(options),
      });
    });
    return answerVerdict(call, verdict, "moved");
  },
};
