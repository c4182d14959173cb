import type { LogEvent, LogItem } from "../../session/index.js";
import { type Line, line, oneLine } from "./line.js";
import type { Out } from "./out.js";
import { isUnseen, plural, shortId } from "./show.js";

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
