import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagOf, flagsOf, valuesOf } from "../flags.js";
import { line, oneLine } from "../line.js";
import { costWords, moneyOf, withMoney } from "../merge-lines.js";
import { withSession } from "../open.js";

const { options: OPTIONS } = VERBS.reflect;

export const command: Command = {
  name: "reflect",
  summary: "propose summaries and insights that cite what they rest on; the originals stay",
  options: [
    ...flagsOf(OPTIONS, "scope", "category"),
    flagOf(OPTIONS, "session", "--of <session>"),
    { flags: "--rules", description: "by rules alone, even where $PAL_MODEL names a model" },
    ...flagsOf(OPTIONS, "dryRun"),
  ],
  examples: ["pal reflect --category work", "pal reflect --of s1 --dry-run"],
  async run(call) {
    const { options, out } = call;
    const session = options.text("of");
    const report = await withSession(call, "existing", (pal) =>
      pal.reflect({
        ...valuesOf(options, OPTIONS, "scope", "category", "dryRun"),
        ...(session !== undefined && { session }),
        ...(options.flag("rules") && { model: "none" as const }),
      }),
    );
    const money = await moneyOf(call);
    await out.answer(withMoney(report, money), (paint) => [
      ...report.reflections.map(
        ({ kind, text, ids }) =>
          line`${paint.bold(kind)} ${oneLine(text)}  ${paint.dim(`rests on ${ids.length}`)}`,
      ),
      ...(report.reflections.length === 0 ? [line`${paint.dim("Nothing to sum up.")}`] : []),
      ...report.notes.map((note) => line`${paint.yellow("!")} ${note}`),
      ...report.proposals.map(
        (id) =>
          line`${paint.dim("waits")} ${paint.yellow(id.slice(0, 12))}  ${paint.dim("see `pal review`")}`,
      ),
      ...costWords(report, paint, money),
    ]);
    return 0;
  },
};
