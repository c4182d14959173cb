import type { Command } from "../command.js";
import { FIELDS, fieldsOf, WRITING, writingOf } from "../fields.js";
import { textOrStdin } from "../input-text.js";
import { named, PART } from "../named.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { answerVerdict } from "../verdict-lines.js";

export const command: Command = {
  name: "observe",
  summary: "add evidence to a memory, or note something seen once",
  args: [
    {
      name: "<id or text>",
      description: "a memory that becomes more certain, by its whole id or topic, or a text; - reads stdin",
    },
  ],
  options: [
    { flags: "--scope <scope>", description: "where it lives or goes; default shared" },
    { ...FIELDS.confidence, description: "how much this observation is worth; default 0.5" },
    FIELDS.evidence,
    FIELDS.source,
    FIELDS.category,
    FIELDS.tag,
    FIELDS.attr,
    FIELDS.sensitivity,
    FIELDS.lifetime,
    FIELDS.ttl,
    PART,
    WRITING.message,
    WRITING.dryRun,
  ],
  examples: ['pal observe "Comes late on Mondays" --evidence "seen again"'],
  async run(call) {
    const { args, options, io } = call;
    const target = await textOrStdin(io, args[0] ?? "");
    const verdict = await withSession(call, "creatable", async (session) => {
      const { id, ...place } = await named(session, target, options, given(options, "scope"));
      return session.observe(id, { ...place, ...fieldsOf(options), ...writingOf(options) });
    });
    return answerVerdict(call, verdict, "observed");
  },
};
