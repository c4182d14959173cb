import type { Command } from "../command.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { progressBar } from "../progress.js";
import { plural } from "../show.js";
import { sizeText } from "../size.js";

export const command: Command = {
  name: "compact",
  summary: "make the store smaller; history stays whole",
  options: [{ flags: "--drop-old", description: "also drop the store as it was before an upgrade" }],
  examples: ["pal compact", "pal compact --drop-old"],
  async run(call) {
    const { out, options, io } = call;
    const dropOld = options.flag("dropOld");
    const bar = progressBar(io.stderr, out.quiet, "compacting");
    const report = await withStore(call, "existing", (store) =>
      store.compact({ dropOld, onProgress: (step) => bar.show(0, step === "nodes" ? 0 : 0.5) }),
    ).finally(bar.clear);
    const { before, after, nodes, objects } = report;
    await out.answer(report, (paint) => [
      line`${paint.green("✓")} ${sizeText(before)} before, ${paint.bold(sizeText(after))} after`,
      line`  ${plural(objects, "object")} kept, ${plural(nodes, "derived node")} dropped`,
    ]);
    return 0;
  },
};
