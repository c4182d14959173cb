import type { Command } from "../command.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { withProgress } from "../progress.js";
import { plural } from "../show.js";
import { sizeText } from "../size.js";

export const command: Command = {
  name: "compact",
  summary: "make the store smaller; history stays whole",
  options: [{ flags: "--drop-old", description: "also drop the store as it was before an upgrade" }],
  examples: ["pal compact", "pal compact --drop-old"],
  async run(call) {
    const { out, options } = call;
    const dropOld = options.flag("dropOld");
    const kept = () => "nothing is lost, and the file is as it was";
    const report = await withStore(call, "existing", (store) =>
      withProgress(
        call,
        "compacting",
        kept,
        ({ of }) => store.compact({ dropOld, onProgress: of }),
        sizeText,
      ),
    );
    const { before, after, nodes, objects } = report;
    await out.answer(report, (paint) => [
      line`${paint.green("✓")} ${sizeText(before)} before, ${paint.bold(sizeText(after))} after`,
      line`  ${plural(objects, "object")} kept, ${plural(nodes, "derived node")} dropped`,
    ]);
    return 0;
  },
};
