import type { FieldChange, LogEvent, LogItem, Memory, WordChange } from "../../session/index.js";
import { clean, type Line, line, oneLine, type Paint } from "./line.js";
import type { Out } from "./out.js";
import { asValue, isUnseen, plural, saidLine, shortId } from "./show.js";
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

const SIGNS = { add: "+", modify: "~", forget: "-", observe: "?" } as const;
const COLORS = { add: "green", modify: "yellow", forget: "red", observe: "cyan" } as const;

/** What is shown of something that was erased. */
const GONE = "(erased)";

/** One change in a few words: what was done, and to what. */
export const firstOf = ({ op, id, text }: LogItem["first"]): string =>
  `${SIGNS[op]} ${(text && !isUnseen(text) && text) || shortId(id) || GONE}`;

/** What a commit is about in one line: its message, its reasons, or the first thing it changed. */
export function gistOf({ message, reasons, first, changes }: LogItem): string {
  const said = message ?? reasons?.join("; ") ?? firstOf(first);
  return changes > 1 ? `${said} (${plural(changes, "change")})` : said;
}

export function eventLine(
  { op, id, scope, text = "" }: LogEvent,
  { paint, columns }: Pick<Out, "paint" | "columns">,
): Line {
  const where = scope === "shared" ? "" : `[${scope}] `;
  const head = line`  ${paint[COLORS[op]](SIGNS[op])} ${paint.bold(shortId(id) || GONE)}`;
  if (isUnseen(text)) return head;
  const rest = Math.max(16, columns - head.columns - where.length - 2);
  return line`${head}  ${paint.cyan(where)}${oneLine(text, rest)}`;
}

/** One changed field: for texts word by word, else what was and what is. */
export function fieldLine({ field, from, to, words }: FieldChange, paint: Paint): Line {
  const name = paint.dim(field);
  if (words)
    return line`${name}  ${words.map((word, at) => wordLine(word, at, words.length, paint)).reduce(joined, line``)}`;
  const [was, is] = [from, to].map((value) => (value === undefined ? undefined : asValue(value)));
  return line`${name}  ${was === undefined ? "" : paint.gone(was)}${is === undefined ? "" : paint.came(is)}`;
}

const joined = (left: Line, right: Line): Line => line`${left}${right}`;

/** Of long stretches that stayed the same only the ends next to a change are shown. */
const CONTEXT = 40;

function wordLine({ kind, text }: WordChange, at: number, count: number, paint: Paint): Line {
  if (kind === "removed") return paint.gone(text);
  if (kind === "added") return paint.came(text);
  if (text.length <= 2 * CONTEXT + 1) return line`${text}`;
  const start = at === 0 ? "" : text.slice(0, CONTEXT).toWellFormed();
  const end = at === count - 1 ? "" : text.slice(-CONTEXT).toWellFormed();
  return line`${start}${paint.dim("…")}${end}`;
}
