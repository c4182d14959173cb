import type { Command } from "../command.js";
import { WRITING, writingOf } from "../fields.js";
import { line } from "../line.js";
import { named, PART, WRITE_ID } from "../named.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { shortId } from "../show.js";
import { answerVerdict } from "../verdict-lines.js";

export const command: Command = {
  name: "confirm",
  summary: "a memory proved right: it becomes more certain, once for each session",
  args: [{ name: "<id>", description: WRITE_ID }],
  options: [
    { flags: "--scope <scope>", description: "where it lives, if the id is in several scopes" },
    PART,
    WRITING.dryRun,
  ],
  examples: ["pal confirm my-note"],
  async run(call) {
    const { args, options } = call;
    const verdict = await withSession(call, "existing", async (session) => {
      const { id, ...place } = await named(session, args[0] ?? "", options, given(options, "scope"));
      return session.confirm(id, { ...place, ...writingOf(options) });
    });
    if (verdict.verdict !== "duplicate" || call.out.json || call.out.quiet)
      return answerVerdict(call, verdict, "confirmed");
    const why = (verdict.reason ?? "").replace(/^Duplicate: /, "");
    await call.out.lines([
      line`${call.out.paint.yellow("=")} unchanged  ${shortId(verdict.id ?? "")}  ${why}`,
    ]);
    return 0;
  },
};
