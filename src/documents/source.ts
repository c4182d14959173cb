import type { Json, JsonObject } from "../core/base/index.js";
import { checkGiven, text } from "../repo/index.js";
import type { DocNode } from "./ast.js";

/**
 * Where a node of a file keeps what its text does not hold of its source: a head as it is written, or a headline
 * behind its marks (`**`, `##`), which follow from where it hangs, so that moving it changes nothing else.
 */
export const HEAD = "source:head";
export const LINE = "source:line";
/** The level of a headline that is not one below its parent's. */
export const LEVEL = "source:level";

/** A section's text may be this long; the rest of its body goes into parts below it. */
const ROOM = 30_000;
/** A head longer than this is treated as text. */
export const MAX_HEAD = 8_000;

/** A piece of a file: marks, head and body are its source, byte for byte. */
export interface Section {
  /** 0 for the file itself. */
  readonly level: number;
  readonly marks: string;
  readonly id?: string | undefined;
  readonly type: string;
  readonly title: string;
  readonly head: string;
  readonly body: string;
  readonly attributes: JsonObject;
  readonly tags: readonly string[];
}

/**
 * The node of a section: its text is the title, a line feed and the body as written. What is not in the text (the
 * headline with its stars and drawers) is kept beside it, so that the source can be given back.
 */
export function sectionNode(section: Section, above: number, children: readonly DocNode[]): DocNode {
  const { id, type, tags, level, marks } = section;
  const isLong = section.head.length > MAX_HEAD;
  const { title, head, body, attributes } = isLong ? allText(section) : section;
  const [first, ...rest] = cutBody(body);
  const kept: Record<string, Json | undefined> = { ...attributes };
  kept[isLong || marks === "" ? HEAD : LINE] = head;
  if (level !== above + 1 && type !== "document") kept[LEVEL] = level;
  const parts = rest.map((part) => partNode(part, tags));
  const text = `${title}\n${first as string}`;
  return { id, type, text, attributes: kept, tags, children: [...parts, ...children] };
}

/** A headline of enormous length, or with an enormous drawer, is text like any other. */
const allText = ({ title, marks, head, body }: Section) => ({
  title: title.slice(0, 200).toWellFormed(),
  head: "",
  body: marks + head + body,
  attributes: {},
});

const partNode = (text: string, tags: readonly string[]): DocNode => ({
  type: "part",
  text,
  attributes: { [HEAD]: "" },
  tags,
  children: [],
});

/** Cuts a long body at blank lines, else at line ends, else between characters. */
function cutBody(body: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (body.length - from > ROOM) {
    const room = body.slice(from, from + ROOM);
    const cut = [room.lastIndexOf("\n\n") + 2, room.lastIndexOf("\n") + 1].find((at) => at > ROOM / 2);
    const end = from + (cut ?? (isHighSurrogate(body, from + ROOM - 1) ? ROOM - 1 : ROOM));
    pieces.push(body.slice(from, end));
    from = end;
  }
  return [...pieces, body.slice(from)];
}

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** The last part of a path: what comes after the last slash (or backslash). */
export function fileName(path: string): string {
  checkGiven("fileName", { path }, { path: text });
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** A task at the beginning of a line. */
const TASK = /[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX-])\](?=\s|$)/y;

/** How many tasks of lists are open and done; undefined when there are none. */
export function taskCounts(text: string): JsonObject | undefined {
  if (!/\[[ xX-]\]/.test(text)) return undefined;
  let open = 0;
  let done = 0;
  for (let at = 0, end = 0; end >= 0; at = end + 1) {
    TASK.lastIndex = at;
    const mark = TASK.exec(text)?.[1];
    if (mark === "x" || mark === "X") done++;
    else if (mark !== undefined) open++;
    end = text.indexOf("\n", at);
  }
  return open + done > 0 ? { open, done } : undefined;
}
