import type { MemoryRecord } from "../ledger/index.js";
import type { DocumentFormat } from "./parse.js";
import { BODY, HEAD, standIn } from "./source.js";

/**
 * The file that a stored tree says, parents first. What was read and not changed since gives back its bytes; an edited
 * title is put into its headline; a memory that somebody hung into the tree becomes a headline of its own.
 */
export function renderTree(records: readonly MemoryRecord[], format: DocumentFormat): string {
  const levels = new Map<string, number>();
  let out = "";
  for (const record of records) {
    const above = record.parent === undefined ? 0 : (levels.get(record.parent) ?? 0);
    const { head, body } = piecesOf(record, above + 1, format);
    levels.set(record.id, levelOf(head, format) ?? above);
    if (out !== "" && head !== "" && !out.endsWith("\n")) out += "\n";
    out += head + body;
  }
  return out;
}

const MARK = { org: "*", markdown: "#" } as const;

function levelOf(head: string, format: DocumentFormat): number | undefined {
  const marks = /^(\*+|#{1,6}) /.exec(head)?.[1];
  if (marks?.startsWith(MARK[format])) return marks.length;
  return /\n=+[ \t]*\r?\n?$/.test(head) ? 1 : /\n-+[ \t]*\r?\n?$/.test(head) ? 2 : undefined;
}

function piecesOf(record: MemoryRecord, level: number, format: DocumentFormat) {
  const { text, type, attributes = {} } = record;
  const head = attributes[HEAD];
  const line = (title: string): string =>
    `${MARK[format].repeat(format === "org" ? level : Math.min(level, 6))} ${title}\n`;
  const end = text.indexOf("\n");
  const title = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? "" : text.slice(end + 1);
  if (typeof head !== "string")
    return { head: line(title), body: rest === "" || rest.endsWith("\n") ? rest : `${rest}\n` };
  const blank = attributes[BODY];
  if (typeof blank === "string" && text === standIn(head)) return { head, body: blank };
  if (type === "part") return { head, body: text };
  const before = attributes.TITLE;
  const isRenamed = type !== "document" && typeof before === "string" && before !== title;
  return { head: isRenamed ? renamed(head, before, title, line(title)) : head, body: rest };
}

/** The headline with another title; everything else of it stays where it can. */
function renamed(head: string, before: string, title: string, fallback: string): string {
  const end = head.indexOf("\n") + 1 || head.length;
  const first = head.slice(0, end);
  return first.includes(before)
    ? first.replace(before, () => title) + head.slice(end)
    : fallback + head.slice(end);
}
