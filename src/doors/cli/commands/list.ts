import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagOf, flagsOf, valuesOf } from "../flags.js";
import { withSession } from "../open.js";
import { memoryRows } from "../rows.js";
import { plural } from "../show.js";
import { attributesOf } from "../values.js";

const { options: OPTIONS } = VERBS.list;

export const command: Command = {
  name: "list",
  summary: "list memories, oldest first",
  options: [
    ...flagsOf(OPTIONS, "type", "tier", "category"),
    {
      flags: "--lifetime <word>",
      description: "only of this lifetime",
      choices: ["permanent", "session", "temporary"],
    },
    ...flagsOf(OPTIONS, "topic", "tag"),
    flagOf(OPTIONS, "attributes", "--attr <K=V>"),
    ...flagsOf(OPTIONS, "parent", "in", "scope", "limit"),
  ],
  at: true,
  examples: ["pal list --type note --tag ops", "pal list --at before-the-move"],
  async run(call) {
    const { options, globals, out } = call;
    const place = {
      ...valuesOf(options, OPTIONS, "scope"),
      ...(globals.at !== undefined && { at: globals.at }),
    };
    const attributes = attributesOf(options.list("attr"));
    const { limit } = valuesOf(options, OPTIONS, "limit");
    const lifetime = options.text("lifetime");
    const listed = await withSession(call, "existing", async (session) => {
      const parent = options.text("parent");
      return session.list({
        ...place,
        ...valuesOf(options, OPTIONS, "type", "tier", "category", "topic", "tag", "in"),
        ...(parent !== undefined && { parent: (await session.get(parent, place))?.id ?? parent }),
        ...(attributes && { attributes }),
        // One more than is shown tells whether there is more.
        ...(limit !== undefined && lifetime === undefined && { limit: limit + 1 }),
      });
    });
    const found = lifetime === undefined ? listed : listed.filter((memory) => memory.lifetime === lifetime);
    const shown = found.slice(0, limit);
    await out.answer(shown, () => memoryRows(shown, out));
    const isMore = shown.length < found.length ? "; there are more, see --limit" : "";
    if (!out.json)
      await out.talk(out.talkPaint.dim(`${plural(shown.length, "memory", "memories")}${isMore}`));
    return 0;
  },
};
