import type { Command } from "../command.js";
import { at } from "../globals.js";
import { withSession } from "../open.js";
import { ago, aligned, plural, shortHash } from "../show.js";

export const command: Command = {
  name: "tags",
  summary: "all tags",
  at: true,
  examples: ["pal tags", "pal tags --at 2026-03-01"],
  async run(call) {
    const { out } = call;
    const found = await withSession(call, "existing", (session) => session.tags(at(call)));
    await out.answer(found, (paint) =>
      aligned(
        found.map(({ name, commit, time, by }) => ({
          cells: [
            paint.bold(name),
            paint.yellow(shortHash(commit)),
            time === undefined ? "" : ago(time),
            paint.dim(by ?? ""),
          ],
        })),
        out.columns,
      ),
    );
    if (!out.json) await out.talk(out.talkPaint.dim(plural(found.length, "tag")));
    return 0;
  },
};
