import type { Memory } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { type Line, line } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { memoryRows } from "../rows.js";
import { plural, shortHash } from "../show.js";

const { options: OPTIONS } = VERBS.view;

export const command: Command = {
  name: "view",
  summary: "what is believed now: canon, topics, then the newest",
  options: flagsOf(OPTIONS, "max"),
  at: true,
  examples: ["pal view", "pal view --at before-the-move"],
  async run(call) {
    const { options, globals, out } = call;
    const view = await withSession(call, "existing", (session) =>
      session.view({
        ...valuesOf(options, OPTIONS, "max"),
        ...(globals.at !== undefined && { at: globals.at }),
      }),
    );
    await out.answer(view, () => [
      line`${out.paint.bold(view.branch)} at ${shortHash(view.head)}`,
      ...sections(view.items, out),
    ]);
    if (!out.json) {
      const shown = view.items.length < view.beliefs ? `, ${view.items.length} shown` : "";
      await out.talk(
        out.talkPaint.dim(
          `${plural(view.beliefs, "belief")}${shown}; ${plural(view.memories, "memory", "memories")} in all`,
        ),
      );
    }
    return 0;
  },
};

function* sections(items: readonly Memory[], out: Out): Generator<Line> {
  const canon = items.filter(({ tier }) => tier === "canon");
  const topics = items.filter(({ tier, topic }) => tier !== "canon" && topic !== undefined);
  const others = items.filter(({ tier, topic }) => tier !== "canon" && topic === undefined);
  for (const [title, part] of [
    ["Canon", canon],
    ["Topics", topics],
    ["Newest", others],
  ] as const) {
    if (part.length === 0) continue;
    yield line``;
    yield out.paint.dim(title);
    yield* memoryRows(part, out);
  }
}
