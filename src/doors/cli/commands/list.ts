import type { Memory } from "../../../session/index.js";
import type { Command } from "../command.js";
import { clean, type Line, line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import type { Out } from "../out.js";
import { plural, shortId } from "../show.js";
import { attributesOf } from "../values.js";
import { wholeId } from "../whole-id.js";
import { cut } from "../width.js";

export const command: Command = {
  name: "list",
  summary: "list memories, oldest first",
  options: [
    { flags: "--type <word>", description: "only of this type" },
    { flags: "--tier <tier>", description: "only of this tier" },
    { flags: "--topic <name>", description: "only the one of this topic" },
    { flags: "--tag <tag>", description: "only with this tag" },
    { flags: "--attr <K=V>", description: "only with this attribute; may be repeated", repeat: true },
    { flags: "--parent <id>", description: "only what lies under this memory" },
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
    const found = await withSession(call, "existing", async (session) => {
      const parent = options.text("parent");
      return session.list({
        ...place,
        ...given(options, "type", "tier", "topic", "tag"),
        ...(parent !== undefined && { parent: await wholeId(session, parent, place) }),
        ...(attributes && { attributes }),
        ...(limit !== undefined && { limit }),
      });
    });
    await out.answer(found, () => memoryRows(found, out));
    if (!out.json) await out.talk(out.talkPaint.dim(plural(found.length, "memory", "memories")));
    return 0;
  },
};

/** One line each: id, kind, scope if it is not the shared one, and as much of the text as fits. */
function memoryRows(memories: readonly Memory[], { paint, columns }: Out): Line[] {
  const rows = memories.map((memory) => ({
    id: clean(cut(shortId(memory.id), 24)),
    kind: clean(memory.tier === "canon" ? `${memory.type}/canon` : memory.type),
    scope: clean(memory.scope === "shared" ? "" : `[${memory.scope}] `),
    text: memory.text,
  }));
  const width = (name: "id" | "kind") => rows.reduce((most, row) => Math.max(most, row[name].columns), 0);
  const [idWidth, kindWidth] = [width("id"), width("kind")];
  return rows.map(({ id, kind, scope, text }) => {
    const left = Math.max(16, columns - idWidth - kindWidth - scope.columns - 4);
    return line`${paint.bold(id.padEnd(idWidth))}  ${paint.dim(kind.padEnd(kindWidth))}  ${paint.cyan(scope)}${oneLine(text, left)}`;
  });
}
