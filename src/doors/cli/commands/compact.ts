import { STORE_OPTIONS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { withProgress } from "../progress.js";
import { plural, sizeText } from "../show.js";

const OPTIONS = STORE_OPTIONS.compact;

export const command: Command = {
  name: "compact",
  summary: "make the store smaller; history stays whole",
  options: flagsOf(OPTIONS, "dropOld"),
  examples: ["pal compact", "pal compact --drop-old"],
  async run(call) {
    const { out, options } = call;
    const kept = () => "nothing is lost, and the file is as it was";
    const report = await withStore(call, "existing", (store) =>
      withProgress(
        call,
        "compacting",
        kept,
        ({ of }) => store.compact({ ...valuesOf(options, OPTIONS, "dropOld"), onProgress: of }),
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
