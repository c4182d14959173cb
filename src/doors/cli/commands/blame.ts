import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { READ_ID } from "../named.js";
import { withSession } from "../open.js";
import { aligned, asValue, shortHash, shownTime, who } from "../show.js";

const { options: OPTIONS } = VERBS.blame;

export const command: Command = {
  name: "blame",
  summary: "who made us believe each field of a memory, and when",
  args: [{ name: "<id>", description: READ_ID }],
  options: flagsOf(OPTIONS, "scope"),
  at: true,
  examples: ["pal blame 8f3a9c2e"],
  async run(call) {
    const [id = ""] = call.args;
    const { options, globals, out } = call;
    const found = await withSession(call, "existing", (session) =>
      session.blame(id, {
        ...valuesOf(options, OPTIONS, "scope"),
        ...(globals.at !== undefined && { at: globals.at }),
      }),
    );
    await out.answer(found, (paint) =>
      aligned(
        found.map(({ field, value, commit, time, author, contested }) => ({
          cells: [
            paint.yellow(shortHash(commit)),
            shownTime(time, out),
            who(author),
            contested ? paint.yellow(`${field} !`) : paint.bold(field),
          ],
          text: typeof value === "string" ? value : asValue(value),
        })),
        out.columns,
      ),
    );
    return 0;
  },
};
