import type { EmbeddingState } from "../../../session/index.js";
import type { Command } from "../command.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { withSession } from "../open.js";
import { whileEmbedding } from "../progress.js";
import { plural } from "../show.js";

export const command: Command = {
  name: "embed",
  summary: "make the vectors of all memories now, so that a search by meaning need not wait",
  examples: ["pal embed"],
  async run(call) {
    const { out } = call;
    const { isDone, state } = await withSession(call, "existing", (session, store) =>
      whileEmbedding(call, store, async (embedding) => ({
        isDone: await embedding.done((await session.view({ max: 1 })).branch),
        state: embedding.state(),
      })),
    );
    const { model, embedded, waiting, withheld, failure } = state;
    await out.answer({ model, embedded, waiting, withheld, failure }, (paint) => stateLines(state, paint));
    return isDone ? 0 : 1;
  },
};

function stateLines(
  { model, phase, embedded, waiting, withheld, failure }: EmbeddingState,
  paint: Paint,
): Line[] {
  if (phase === "off")
    return [line`${paint.yellow("!")} there is no embedder; \`pal config set embedder minilm\` chooses one`];
  return [
    line`${waiting > 0 ? paint.yellow("!") : paint.green("✓")} ${plural(embedded, "memory", "memories")} embedded${model === undefined ? "" : ` with ${model}`}${waiting > 0 ? `, ${plural(waiting, "waits", "wait")}` : ""}`,
    ...(withheld > 0
      ? [line`  ${plural(withheld, "private memory", "private memories")} not shown to a service elsewhere`]
      : []),
    ...(failure === undefined ? [] : [line`${paint.red("✗")} ${oneLine(failure)}`]),
  ];
}
