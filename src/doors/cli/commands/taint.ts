import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { at } from "../globals.js";
import { READ_ID } from "../named.js";
import { withSession } from "../open.js";
import { aligned, plural, shortId } from "../show.js";

const { options: OPTIONS } = VERBS.taint;

export const command: Command = {
  name: "taint",
  summary: "everything that was made from a memory, directly or through others, in any version",
  args: [{ name: "<id>", description: READ_ID }],
  options: flagsOf(OPTIONS, "scope"),
  at: true,
  examples: ["pal taint 8f3a9c2e", "pal taint 8f3a9c2e --json"],
  async run(call) {
    const [id = ""] = call.args;
    const { out, options } = call;
    const found = await withSession(call, "existing", (session) =>
      session.taint(id, { ...valuesOf(options, OPTIONS, "scope"), ...at(call) }),
    );
    await out.answer(found, (paint) =>
      aligned(
        found.map((item) => ({
          cells: [
            paint.dim(String(item.distance)),
            paint.bold(shortId(item.id)),
            item.scope === "shared" ? "" : item.scope,
            paint.dim(`from ${shortId(item.via)}`),
            item.live ? "" : paint.dim("forgotten"),
          ],
          text: item.text,
        })),
        out.columns,
      ),
    );
    if (!out.json)
      await out.talk(
        out.talkPaint.dim(
          found.length === 0 ? "nothing was made from it" : plural(found.length, "descendant"),
        ),
      );
    return 0;
  },
};
