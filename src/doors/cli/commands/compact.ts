import type { Command } from "../command.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { plural } from "../show.js";
import { sizeText } from "../size.js";

export const command: Command = {
  name: "compact",
  summary: "make the store smaller; history stays whole",
  examples: ["pal compact"],
  async run(call) {
    const { out } = call;
    const report = await withStore(call, "existing", (store) => store.compact());
    const { before, after, nodes, objects } = report;
    await out.answer(report, (paint) => [
      line`${paint.green("✓")} ${sizeText(before)} before, ${paint.bold(sizeText(after))} after`,
      line`  ${plural(objects, "object")} kept, ${plural(nodes, "derived node")} dropped`,
    ]);
    return 0;
  },
};
