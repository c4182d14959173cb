import { resolve } from "node:path";
import { STORE_OPTIONS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { line } from "../line.js";
import { withStore } from "../open.js";
import { withProgress } from "../progress.js";
import { plural, sizeText } from "../show.js";

const OPTIONS = STORE_OPTIONS.backup;

export const command: Command = {
  name: "backup",
  summary: "write everything to one file, while others go on writing",
  args: [{ name: "<file>", description: "where to" }],
  options: flagsOf(OPTIONS, "overwrite"),
  examples: ["pal backup memory-2026-03-01.pal"],
  async run(call) {
    const [file = ""] = call.args;
    const { options, out, io } = call;
    const report = await withStore(call, "existing", (store) =>
      withProgress(
        call,
        "backing up",
        () => "no file was written",
        ({ of }) =>
          store.backup(resolve(io.cwd, file), { ...valuesOf(options, OPTIONS, "overwrite"), onProgress: of }),
      ),
    );
    await out.answer(report, (paint) => [
      line`${paint.green("✓")} ${plural(report.objects, "object")} and ${plural(report.refs, "ref")} in ${report.file} (${sizeText(report.bytes)})`,
      line`  Keep this commit to prove it later: ${report.head}`,
    ]);
    return 0;
  },
};
