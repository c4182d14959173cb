import type { Command } from "../command.js";
import { at } from "../globals.js";
import { withSession } from "../open.js";
import { ago, aligned, plural, shortHash, shortId } from "../show.js";

export const command: Command = {
  name: "snapshots",
  summary: "your snapshots and all labelled ones, newest first; 0 is the newest",
  at: true,
  examples: ["pal snapshots", "pal snapshots --at 2026-03-01"],
  async run(call) {
    const { out } = call;
    const found = await withSession(call, "existing", (session) => session.snapshots(at(call)));
    await out.answer(found, (paint) =>
      aligned(
        found.map(({ index, snapshot, commit, time, agent, label, before }) => ({
          cells: [
            paint.bold(String(index).padStart(2)),
            label === undefined ? shortId(snapshot) : paint.bold(label),
            paint.yellow(shortHash(commit)),
            ago(time),
            paint.dim(agent),
          ],
          text: before === undefined ? undefined : `before ${before}`,
        })),
        out.columns,
      ),
    );
    if (!out.json) await out.talk(out.talkPaint.dim(plural(found.length, "snapshot")));
    return 0;
  },
};
