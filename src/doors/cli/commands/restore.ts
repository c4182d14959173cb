import { resolve } from "node:path";
import type { Command } from "../command.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { plural } from "../show.js";

export const command: Command = {
  name: "restore",
  summary: "fill an empty store from a backup, after checking all of it",
  args: [{ name: "<file>", description: "the backup, or an image" }],
  options: [
    {
      flags: "--tombstones <path>",
      description: "a store or a later backup: what was erased there does not come back",
    },
  ],
  examples: ["pal restore memory.pal --store ./again --tombstones ~/.local/share/palimpsest"],
  async run(call) {
    const [file = ""] = call.args;
    const { options, out, io } = call;
    const path = options.text("tombstones");
    const { isPostgresUrl } = await import("../../../session/opening.js");
    const tombstones = path === undefined || isPostgresUrl(path) ? path : resolve(io.cwd, path);
    const report = await withStore(call, "creatable", (store) =>
      store.restore(resolve(io.cwd, file), tombstones === undefined ? {} : { tombstones }),
    );
    await out.answer(report, (paint) => [
      line`${paint.green("✓")} restored and verified: ${plural(report.memories, "memory", "memories")}, ${plural(report.objects, "object")}, ${plural(report.refs, "ref")}`,
      line`  root ${report.root}`,
      tombstones === undefined
        ? line`${paint.yellow("!")} No tombstones were given: what was erased after this backup is here again. See --tombstones.`
        : line`${paint.green("✓")} ${plural(report.tombstones, "later erasure")} applied`,
    ]);
    return 0;
  },
};
