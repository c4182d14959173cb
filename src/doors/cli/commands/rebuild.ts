import type { Command } from "../command.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { withProgress } from "../progress.js";
import { plural } from "../show.js";

export const command: Command = {
  name: "rebuild",
  summary: "make indexes and everything else that is derived again from what was written",
  examples: ["pal rebuild"],
  async run(call) {
    const { out } = call;
    const kept = () =>
      "what was written is untouched, and what is missing of the rest is made when it is read";
    const report = await withStore(call, "existing", (store) =>
      withProgress(call, "rebuilding", kept, ({ of }) => store.rebuild({ onProgress: of })),
    );
    const lost = report.problems.length;
    await out.answer(report, (paint) => [
      line`${lost === 0 ? paint.green("✓") : paint.yellow("·")} made ${plural(report.events, "event")} and ${plural(report.nodes, "node")} again`,
      ...(lost === 0
        ? []
        : [
            line`${paint.red(`Damage found: ${plural(lost, "error")}`)} in what everything is made from. \`pal verify\` names it, \`pal repair <directory>\` saves the rest.`,
          ]),
    ]);
    return lost === 0 ? 0 : 1;
  },
};
