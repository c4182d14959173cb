import type { Command } from "../command.js";
import { WRITING, writingOf } from "../fields.js";
import { withSession } from "../open.js";
import { answerVerdict } from "../verdict-lines.js";

export const command: Command = {
  name: "move",
  summary: "take a memory to another scope, so that others see it",
  args: [
    { name: "<id>", description: "its id or topic, or 6 or more of the id's first or last characters" },
    { name: "<scope>", description: "where it goes: shared, agent/orion, project/site, …" },
  ],
  options: [
    { flags: "--tree", description: "with everything below it; else its children stay and move up" },
    { flags: "--from <scope>", description: "where it lives, if the id is in several scopes" },
    WRITING.message,
    WRITING.dryRun,
  ],
  examples: ["pal move 8f3a9c2e shared"],
  async run(call) {
    const [id = "", to = ""] = call.args;
    const { options } = call;
    const { scopeNamed } = await import("../named-scopes.js");
    const from = options.text("from");
    const verdict = await withSession(call, "existing", (session) =>
      session.move(id, scopeNamed(to, call), {
        ...(from !== undefined && { from: scopeNamed(from, call) }),
        ...(options.flag("tree") && { tree: true }),
        ...writingOf(options),
      }),
    );
    return answerVerdict(call, verdict, "moved");
  },
};
