import type { Command } from "../command.js";
import { memoryRows } from "../memory-rows.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { plural } from "../show.js";
import { attributesOf } from "../values.js";

export const command: Command = {
  name: "list",
  summary: "list memories, oldest first",
  options: [
    { flags: "--type <word>", description: "only of this type" },
    { flags: "--tier <tier>", description: "only of this tier" },
    { flags: "--category <name>", description: "only of this category" },
    {
      flags: "--lifetime <word>",
      description: "only of this lifetime",
      choices: ["permanent", "session", "temporary"],
    },
    { flags: "--topic <name>", description: "only the one of this topic" },
    { flags: "--tag <tag>", description: "only with this tag" },
    { flags: "--attr <K=V>", description: "only with this attribute; may be repeated", repeat: true },
    { flags: "--parent <id>", description: "only what lies under this memory" },
    { flags: "--in <place>", description: "only what lies in this room or room/drawer" },
    { flags: "--scope <scope>", description: "only in this scope" },
    { flags: "--limit <count>", description: "at most so many" },
  ],
  at: true,
  examples: ["pal list --type note --tag ops", "pal list --at before-the-move"],
  async run(call) {
    const { options, globals, out } = call;
    const place = { ...given(options, "scope"), ...(globals.at !== undefined && { at: globals.at }) };
    const attributes = attributesOf(options.list("attr"));
    const limit = options.count("limit");
    const lifetime = options.text("lifetime");
    const listed = await withSession(call, "existing", async (session) => {
      const parent = options.text("parent");
      return session.list({
        ...place,
        ...given(options, "type", "tier", "category", "topic", "tag", "in"),
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
