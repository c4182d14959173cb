import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { line } from "../line.js";
import { withSession } from "../open.js";
import { shortId } from "../show.js";

const { options: OPTIONS } = VERBS.links;

export const command: Command = {
  name: "links",
  summary: "show which notes a note links to, and which link to it",
  args: [{ name: "<id>", description: "the note" }],
  options: flagsOf(OPTIONS, "scope"),
  at: true,
  examples: ["pal links my-note"],
  async run(call) {
    const { at } = call.globals;
    const found = await withSession(call, "existing", (session) =>
      session.links(call.args[0] as string, {
        ...valuesOf(call.options, OPTIONS, "scope"),
        ...(at !== undefined && { at }),
      }),
    );
    await call.out.answer(found, (paint) => [
      ...found.outgoing.map(
        ({ target, id }) => line`→ ${id ? paint.bold(shortId(id)) : paint.dim("?")}  ${target}`,
      ),
      ...found.incoming.map(({ target, id }) => line`← ${paint.bold(shortId(id))}  ${target}`),
    ]);
    if (!call.out.json && found.outgoing.length + found.incoming.length === 0)
      await call.out.talk(call.out.talkPaint.dim("it links to nothing, and nothing links to it"));
    return 0;
  },
};
