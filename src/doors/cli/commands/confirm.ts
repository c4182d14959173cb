import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { WRITING, writingOf } from "../fields.js";
import { flagsOf, valuesOf } from "../flags.js";
import { line } from "../line.js";
import { named, PART, WRITE_ID } from "../named.js";
import { withSession } from "../open.js";
import { shortId } from "../show.js";
import { answerVerdict } from "../verdict-lines.js";

const { options: OPTIONS } = VERBS.confirm;

export const command: Command = {
  name: "confirm",
  summary: "a memory proved right: it becomes more certain, once for each session",
  args: [{ name: "<id>", description: WRITE_ID }],
  options: [...flagsOf(OPTIONS, "scope"), PART, WRITING.dryRun],
  examples: ["pal confirm my-note"],
  async run(call) {
    const { args, options } = call;
    const verdict = await withSession(call, "existing", async (session) => {
      const { id, ...place } = await named(
        session,
        args[0] ?? "",
        options,
        valuesOf(options, OPTIONS, "scope"),
      );
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
