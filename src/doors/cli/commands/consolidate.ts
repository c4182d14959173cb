import type { Command } from "../command.js";
import { line } from "../line.js";
import { costWords, moneyOf, withMoney } from "../mind-lines.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { withShortIds } from "../show.js";

export const command: Command = {
  name: "consolidate",
  summary: "look over everything believed and propose what to tidy; changes nothing",
  options: [
    { flags: "--scope <scope>", description: "only this scope" },
    { flags: "--dry-run", description: "only the report; nothing is proposed" },
  ],
  examples: ["pal consolidate", "pal consolidate --dry-run --json"],
  async run(call) {
    const { options, out } = call;
    const report = await withSession(call, "existing", (session) =>
      session.consolidate({ ...given(options, "scope"), ...(options.flag("dryRun") && { dryRun: true }) }),
    );
    const money = await moneyOf(call);
    await out.answer(withMoney(report, money), (paint) => [
      ...report.text.split("\n").map((text) => line`${withShortIds(text)}`),
      ...costWords(report, paint, money),
    ]);
    return 0;
  },
};
