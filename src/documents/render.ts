import type { MemoryRecord } from "../core/ledger/index.js";
import { textOfNode } from "./node-text.js";
import type { DocumentFormat } from "./parse.js";
import { HEAD, LEVEL, LINE } from "./source.js";

/**
 * The file that a stored tree says, parents first. What was read and not changed since gives back its bytes; an edited
 * title is put into its headline; a memory that somebody hung into the tree becomes a headline of its own.
 */
export function renderTree(records: readonly MemoryRecord[], format: DocumentFormat): string {
  const levels = new Map<string, number>();
  let out = "";
  for (const record of records) {
    const above = record.parent === undefined ? -1 : (levels.get(record.parent) ?? 0);
    const level = levelOf(record, above);
    levels.set(record.id, level);
    const { head, body } = piecesOf(record, marksOf(level, format));
    if (out !== "" && head !== "" && !out.endsWith("\n")) out += "\n";
    out += head + body;
  }
  return out;
}

function levelOf({ type, attributes }: MemoryRecord, above: number): number {
  if (type === "document") return 0;
  if (type === "part") return above;
  const given = attributes?.[LEVEL];
  return typeof given === "number" && given > above ? given : above + 1;
}

const marksOf = (level: number, format: DocumentFormat): string =>
  format === "org" ? "*".repeat(Math.max(level, 1)) : "#".repeat(Math.min(Math.max(level, 1), 6));

function piecesOf(record: MemoryRecord, marks: string): { readonly head: string; readonly body: string } {
  const { type, attributes = {} } = record;
  const text = textOfNode(record);
  const end = text.indexOf("\n");
  const title = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? "" : text.slice(end + 1);
  const line = attributes[LINE];
  const head = typeof line === "string" ? marks + line : attributes[HEAD];
  const own = `${marks} ${title}\n`;
  if (typeof head !== "string")
    return { head: own, body: rest === "" || rest.endsWith("\n") ? rest : `${rest}\n` };
  if (type === "part") return { head, body: text };
  const before = attributes.TITLE ?? (typeof line === "string" ? "" : undefined);
  if (type === "document" || typeof before !== "string" || before === title) return { head, body: rest };
  return { head: before === "" ? titled(head, title) : renamed(head, before, title, own), body: rest };
}

/** The headline that had no title with one: behind keyword and priority, before the tags. */
function titled(head: string, title: string): string {
  const end = head.search(/\r?\n|$/);
  const first = head.slice(0, end);
  const tags = first.search(/(?<![ \t])[ \t]+:\S+:[ \t]*$/);
  const before = tags < 0 ? first : first.slice(0, tags);
  return `${before.trimEnd()} ${title}${tags < 0 ? "" : first.slice(tags)}${head.slice(end)}`;
}

/** The headline with another title; everything else of it stays where it can. */
function renamed(head: string, before: string, title: string, fallback: string): string {
  const end = head.indexOf("\n") + 1 || head.length;
  const first = head.slice(0, end);
  return first.includes(before)
    ? first.replace(before, () => title) + head.slice(end)
    : fallback + head.slice(end);
}
