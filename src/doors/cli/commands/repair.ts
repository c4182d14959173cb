import { resolve } from "node:path";
import type { RepairReport } from "../../../session/index.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { type Line, line, type Paint } from "../line.js";
import { withProgress } from "../progress.js";
import { plural, shortHash, shortId } from "../show.js";

const SHOWN = 20;
const HEADS = "heads/";
/** Branches that a repair makes of what no other leads to. */
const RECOVERED = `${HEADS}recovered-`;

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
    return isWhole(report) ? 0 : 1;
  },
};

const isWhole = ({ lost, moved, mended, ok }: RepairReport): boolean =>
  ok && lost.length + moved.length + mended === 0;

function reportLines(report: RepairReport, into: string, paint: Paint): Line[] {
  const { objects, refs, moved, lost, mended, memories } = report;
  const more = lost.length - SHOWN;
  return [
    line`${paint.green("✓")} ${plural(objects, "object")} and ${plural(refs, "ref")} saved, ${plural(memories, "memory", "memories")} live: ${into}`,
    ...moved.map(({ ref, to }) => {
      if (to === undefined) return line`${paint.red("✗")} ${ref} is lost`;
      return ref.startsWith(RECOVERED)
        ? line`${paint.yellow("!")} another line of history is kept as the branch ${ref.slice(HEADS.length)}`
        : line`${paint.yellow("!")} ${ref} is at ${shortHash(to)}, the last commit that is whole`;
    }),
    ...lost.slice(0, SHOWN).map(({ kind, hash, commit, id }) => {
      const what = id === undefined ? `${kind} ${shortHash(hash)}` : `a version of ${shortId(id)}`;
      return line`${paint.red("✗")} lost: ${what}${commit === undefined ? "" : `, of commit ${shortHash(commit)}`}`;
    }),
    ...(more > 0 ? [line`  and ${plural(more, "more", "more")}; --json has them all`] : []),
    ...(mended > 0
      ? [
          line`${paint.yellow("!")} the operation log has gaps: ${plural(mended, "operation")} of the repair bridge them, see \`pal ops\``,
        ]
      : []),
    isWhole(report)
      ? line`${paint.bold("Nothing was lost.")}`
      : line`The damaged store was left as it is. If there is a backup, compare before you go on.`,
  ];
}
