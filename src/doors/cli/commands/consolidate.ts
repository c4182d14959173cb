import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { line } from "../line.js";
import { costWords, moneyOf, withMoney } from "../merge-lines.js";
import { withSession } from "../open.js";
import { withShortIds } from "../show.js";

const { options: OPTIONS } = VERBS.consolidate;

export const command: Command = {
  name: "consolidate",
  summary: "look over everything believed and propose what to tidy; changes nothing",
  options: flagsOf(OPTIONS, "scope", "dryRun"),
  examples: ["pal consolidate", "pal consolidate --dry-run --json"],
  async run(call) {
    const { options, out } = call;
    const report = await withSession(call, "existing", (session) =>
      session.consolidate(valuesOf(options, OPTIONS, "scope", "dryRun")),
    );
    const money = await moneyOf(call);
    await out.answer(withMoney(report, money), (paint) => [
      ...report.text.split("\n").map((text) => line`${withShortIds(text)}`),
      ...costWords(report, paint, money),
    ]);
    return 0;
  },
};
