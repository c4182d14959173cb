import { STORE_OPTIONS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagOf } from "../flags.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { withProgress } from "../progress.js";
import { plural } from "../show.js";

const OPTIONS = STORE_OPTIONS.gc;

export const command: Command = {
  name: "gc",
  summary: "drop what nothing leads to any more: deleted branches, items nobody reviewed",
  options: [flagOf(OPTIONS, "graceDays", "--grace <days>"), flagOf(OPTIONS, "dryRun")],
  examples: ["pal gc --dry-run"],
  async run(call) {
    const { options, out } = call;
    const graceDays = options.count("grace");
    const dryRun = options.flag("dryRun");
    let gone = 0;
    const kept = () => `${plural(gone, "object")} dropped, nothing that anything leads to`;
    const report = await withStore(call, "existing", (store) =>
      withProgress(call, "collecting", kept, ({ of }) =>
        store.gc({
          dryRun,
          ...(graceDays !== undefined && { graceDays }),
          onProgress: (done, total, dropped = 0) => {
            gone = dropped;
            of(done, total);
          },
        }),
      ),
    );
    const { objects, commits, staging } = report;
    await out.answer(report, (paint) => [
      objects + staging === 0
        ? line`${paint.green("✓")} there is nothing to drop`
        : line`${dryRun ? "would drop" : line`${paint.green("✓")} dropped`} ${plural(objects, "object")}, ${plural(commits, "commit")} among them${staging > 0 ? `, and ${plural(staging, "item")} that waited too long` : ""}`,
    ]);
    return 0;
  },
};
