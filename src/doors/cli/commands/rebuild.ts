import type { Command } from "../command.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { progressBar } from "../progress.js";
import { plural } from "../show.js";

export const command: Command = {
  name: "rebuild",
  summary: "make indexes and everything else that is derived again from what was written",
  examples: ["pal rebuild"],
  async run(call) {
    const { out, io } = call;
    const bar = progressBar(io.stderr, out.quiet, "rebuilding");
    const report = await withStore(call, "existing", (store) =>
      store.rebuild({
        onProgress: (done, total) => bar.show(done, total === undefined ? undefined : done / total),
      }),
    ).finally(bar.clear);
    await out.answer(report, (paint) => [
      line`${paint.green("✓")} made ${plural(report.events, "event")} and ${plural(report.nodes, "node")} again`,
    ]);
    return 0;
  },
};
