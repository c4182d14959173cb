import { resolve } from "node:path";
import { STORE_OPTIONS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { flagOf } from "../flags.js";
import { line } from "../line.js";
import { locationOf, withStore } from "../open.js";
import { withProgress } from "../progress.js";
import { plural } from "../show.js";

const TOMBSTONES = flagOf(STORE_OPTIONS.restore, "tombstones");

export const command: Command = {
  name: "restore",
  summary: "fill an empty store from a backup, after checking all of it",
  args: [{ name: "<file>", description: "the backup, or an image" }],
  options: [
    {
      ...TOMBSTONES,
      description: `${TOMBSTONES.description}; default your usual store, if this is another; none`,
    },
  ],
  examples: [
    "pal restore memory.pal --store ./again",
    "pal restore memory.pal --tombstones later-backup.pal",
  ],
  async run(call) {
    const [file = ""] = call.args;
    const { out, io } = call;
    const tombstones = await tombstonesFor(call);
    const report = await withStore(call, "creatable", (store) =>
      withProgress(
        call,
        "restoring",
        () => "nothing was restored",
        ({ of }) =>
          store.restore(resolve(io.cwd, file), {
            ...(tombstones !== undefined && { tombstones }),
            onProgress: of,
          }),
      ),
    );
    await out.answer(report, (paint) => [
      line`${paint.green("✓")} restored and verified: ${plural(report.memories, "memory", "memories")}, ${plural(report.objects, "object")}, ${plural(report.refs, "ref")}`,
      line`  root ${report.root}`,
      tombstones === undefined
        ? line`${paint.yellow("!")} No tombstones were given: what was erased after this backup is here again. See --tombstones.`
        : line`${paint.green("✓")} ${plural(report.tombstones, "later erasure")} of ${tombstones} applied`,
    ]);
    return 0;
  },
};

/** Where erasures are looked up: as told, else in the store that is usually used, unless that is the one to be filled. */
async function tombstonesFor(call: Call): Promise<string | undefined> {
  const { options, io, globals } = call;
  const { isPostgresUrl, openStore } = await import("../../../session/opening.js");
  const told = options.text("tombstones");
  if (told === "none") return undefined;
  if (told !== undefined) return isPostgresUrl(told) ? told : resolve(io.cwd, told);
  const usual = await locationOf({ ...call, globals: { ...globals, store: undefined } });
  if (usual === (await locationOf(call))) return undefined;
  const store = await openStore(usual);
  try {
    return (await store.exists()) ? usual : undefined;
  } finally {
    await store.close();
  }
}
