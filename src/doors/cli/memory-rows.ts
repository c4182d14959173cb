import type { Memory } from "../../session/index.js";
import { clean, type Line, line } from "./line.js";
import type { Out } from "./out.js";
import { saidLine, shortId } from "./show.js";
import { cut, OVERVIEW } from "./width.js";

/** One line each: id, kind, scope if it is not the shared one, and as much of the text as fits. */
export function memoryRows(memories: readonly Memory[], { paint, columns }: Out): Line[] {
  const rows = memories.map((memory) => ({
    id: clean(cut(shortId(memory.id), 24)),
    kind: clean(memory.tier === "canon" ? `${memory.type}/canon` : memory.type),
    scope: clean(memory.scope === "shared" ? "" : `[${memory.scope}] `),
    text: memory.text,
  }));
  const width = (name: "id" | "kind") => rows.reduce((most, row) => Math.max(most, row[name].columns), 0);
  const [idWidth, kindWidth] = [width("id"), width("kind")];
  return rows.map(({ id, kind, scope, text }) => {
    const left = Math.max(16, Math.min(columns, OVERVIEW) - idWidth - kindWidth - scope.columns - 4);
    return line`${paint.bold(id.padEnd(idWidth))}  ${paint.dim(kind.padEnd(kindWidth))}  ${paint.cyan(scope)}${saidLine(text, left, paint)}`;
  });
}
