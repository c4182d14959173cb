import type { Command } from "../command.js";
import { type Line, line, type Paint } from "../line.js";
import { withSession } from "../open.js";
import { table } from "../show.js";

export const command: Command = {
  name: "stats",
  summary: "figures about what you see",
  at: true,
  examples: ["pal stats"],
  async run(call) {
    const { globals, out } = call;
    const stats = await withSession(call, "existing", async (session) => {
      const figures = await session.stats(globals.at === undefined ? {} : { at: globals.at });
      const models = await session.mindCosts();
      return { ...figures, ...(models.length > 0 && { models }) };
    });
    const spent = stats.models?.[0];
    const counted = (counts: Readonly<Record<string, number>>, paint: Paint): Line | string =>
      Object.entries(counts)
        .map(([name, count]) => line`${name} ${paint.bold(count)}`)
        .reduce<Line | string>((all, next) => (all === "" ? next : line`${all}  ${next}`), "");
    const number = (count: number): string => count.toLocaleString("en-US");
    await out.answer(stats, (paint) =>
      table(
        [
          ["memories", paint.bold(number(stats.memories))],
          ["versions", number(stats.versions)],
          ["commits", number(stats.commits)],
          ["forgotten", number(stats.forgotten)],
          ["contested", stats.contested === 0 ? undefined : paint.yellow(number(stats.contested))],
          ["waiting", stats.waiting === 0 ? undefined : paint.yellow(`${number(stats.waiting)} for review`)],
          ["scopes", counted(stats.byScope, paint)],
          ["types", counted(stats.byType, paint)],
          ["tiers", counted(stats.byTier, paint)],
          ["categories", counted(stats.byCategory, paint)],
          [
            "models",
            spent &&
              `${spent.day}: ${number(spent.calls)} calls, ${number(spent.tokensIn + spent.tokensOut)} tokens`,
          ],
          ["branch", stats.branch],
          ["head", stats.head],
          ["root", stats.root],
        ],
        paint,
      ),
    );
    return 0;
  },
};
