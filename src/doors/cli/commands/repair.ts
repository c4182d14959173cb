import { resolve } from "node:path";
import type { RepairReport } from "../../../session/index.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { type Line, line, type Paint } from "../line.js";
import { withProgress } from "../progress.js";
import { plural, shortHash, shortId } from "../show.js";

const SHOWN = 20;

export const command: Command = {
  name: "repair",
  summary: "save what can be saved of a damaged store into a new one; the old one stays as it is",
  args: [{ name: "<directory>", description: "where the new store is to be" }],
  examples: ["pal repair ./saved --store ./damaged"],
  async run(call) {
    const [into = ""] = call.args;
    const { globals, io, out } = call;
    const { defaultLocation, isPostgresUrl, repairStore } = await import("../../../session/index.js");
    const named = globals.store ?? (io.env.PAL_HOME || undefined);
    if (named !== undefined && isPostgresUrl(named))
      throw usage("`repair` reads the file of a store; this one is in PostgreSQL.", "See `pal rebuild`.");
    const damaged = named === undefined ? await defaultLocation() : resolve(io.cwd, named);
    const report = await withProgress(
      call,
      "repairing",
      () => "no new store was made, and the damaged one is as it was",
      ({ of }) => repairStore(damaged, resolve(io.cwd, into), { onProgress: of }),
    );
    await out.answer(report, (paint) => reportLines(report, into, paint));
    return report.lost.length + report.moved.length === 0 ? 0 : 1;
  },
};

function reportLines(
  { objects, refs, moved, lost, memories }: RepairReport,
  into: string,
  paint: Paint,
): Line[] {
  const more = lost.length - SHOWN;
  return [
    line`${paint.green("✓")} ${plural(objects, "object")} and ${plural(refs, "ref")} saved, ${plural(memories, "memory", "memories")} live: ${into}`,
    ...moved.map(({ ref, to }) =>
      to === undefined
        ? line`${paint.red("✗")} ${ref} is lost`
        : line`${paint.yellow("!")} ${ref} is at ${shortHash(to)}, the last commit that is whole`,
    ),
    ...lost.slice(0, SHOWN).map(({ kind, hash, commit, id }) => {
      const what = id === undefined ? `${kind} ${shortHash(hash)}` : `a version of ${shortId(id)}`;
      return line`${paint.red("✗")} lost: ${what}${commit === undefined ? "" : `, of commit ${shortHash(commit)}`}`;
    }),
    ...(more > 0 ? [line`  and ${plural(more, "more", "more")}; --json has them all`] : []),
    lost.length + moved.length === 0
      ? line`${paint.bold("Nothing was lost.")}`
      : line`The damaged store was left as it is. If there is a backup, compare before you go on.`,
  ];
}
