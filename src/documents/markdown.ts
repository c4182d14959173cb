import { canonical, isDeepYaml, type Json, type JsonObject } from "../core/base/index.js";
import type { DocNode } from "./ast.js";
import { targets, wikiLinks } from "./link-text.js";
import { plain } from "./org.js";
import { nest } from "./outline.js";
import { fileName, MAX_HEAD, type Section, taskCounts } from "./source.js";

/** As much of a Markdown tree as is used here. */
interface Mdast {
  readonly type: string;
  readonly depth?: number;
  readonly value?: string;
  readonly alt?: string | null;
  readonly url?: string;
  readonly label?: string | null;
  readonly children?: readonly Mdast[];
  readonly position?: {
    readonly start: { readonly offset?: number };
    readonly end: { readonly offset?: number };
  };
}

/** A Markdown file as a tree of its headings, with the front matter as attributes of the root. */
export async function parseMarkdown(text: string, path: string): Promise<DocNode> {
  const front = await frontMatter(text);
  const blocks = await blocksOf(text, front.length);
  const heads = blocks.filter(({ node }) => node.type === "heading");
  const edge = (at: number): number =>
    at < heads.length ? lineStart(text, (heads[at] as Block).start) : text.length;
  const body = text.slice(front.length, edge(0));
  const title = typeof front.data.title === "string" ? front.data.title.replace(/\s+/g, " ").trim() : "";
  const tags = tagsOf(front.data.tags);
  const id = typeof front.data.id === "string" ? front.data.id.trim() : "";
  const facts = factsOf(blocks, heads);
  const sections: Section[] = [
    {
      level: 0,
      marks: "",
      ...(id !== "" && { id }),
      type: "document",
      title: title || fileName(path),
      head: text.slice(0, front.length),
      body,
      attributes: plain({
        ...front.data,
        TITLE: title || fileName(path),
        TAGS: tags,
        LINKS: facts[0] as string[],
        TASKS: taskCounts(body),
      }),
      tags,
    },
  ];
  for (const [at, { node: heading, end }] of heads.entries()) {
    const source = text.slice(edge(at), edge(at + 1));
    const length = lineEnd(source, end - edge(at));
    const name = plainText(heading).replace(/\s+/g, " ").trim();
    const level = heading.depth ?? 1;
    const marks = source.startsWith("#") ? "#".repeat(level) : "";
    sections.push({
      level,
      marks,
      type: "headline",
      title: name,
      head: source.slice(marks.length, length),
      body: source.slice(length),
      attributes: plain({
        TITLE: name,
        LINKS: facts[at + 1] as string[],
        TASKS: taskCounts(source.slice(length)),
      }),
      tags,
    });
  }
  return nest(sections);
}

/** A block of the file, and where it stands in it. */
interface Block {
  readonly node: Mdast;
  readonly start: number;
  readonly end: number;
}

/** The blocks of a file piece by piece, so that others have their turn between two of them. */
async function blocksOf(text: string, from: number): Promise<Block[]> {
  const { fromMarkdown } = await import("mdast-util-from-markdown");
  const parse = ({ start, end }: Piece, labels: readonly string[] = []): Block[] => {
    const before = labels.map((label) => `[${label}]: x\n\n`).join("");
    const { children = [] } = fromMarkdown(before + tamed(text.slice(start, end))) as unknown as Mdast;
    const placed = (node: Mdast): Block => ({
      node,
      start: (node.position?.start.offset ?? 0) - before.length + start,
      end: (node.position?.end.offset ?? 0) - before.length + start,
    });
    return children.map(placed).filter((block) => block.start >= start);
  };
  let last: Block[] = [];
  const mayGoOn = (piece: Piece): boolean => {
    last = parse(piece);
    return /^(?:code|html)$/.test(last.at(-1)?.node.type ?? "");
  };
  const pieces: { readonly piece: Piece; readonly blocks: Block[] }[] = [];
  const labels = new Map<string, Piece>();
  for (const piece of piecesOf(text, from, mayGoOn)) {
    pieces.push({ piece, blocks: last });
    for (const { node: block } of last)
      for (const { type, label } of inside(block))
        if (type === "definition" && label && labels.size < MOST_LABELS) labels.set(label, piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const found: Block[] = [];
  for (const { piece, blocks } of pieces) {
    // A link is one only where its label is explained: where that is in another piece, this one is read with it.
    const source = text.slice(piece.start, piece.end);
    const needed = [...labels].filter(([label, home]) => home !== piece && source.includes(`[${label}]`));
    if (needed.length > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const block of needed.length > 0
      ? parse(
          piece,
          needed.map(([label]) => label),
        )
      : blocks)
      found.push(block);
  }
  return found;
}

const MOST_LABELS = 1_000;

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
};

/** Links by section: those before the first heading come first. */
function factsOf(blocks: readonly Block[], heads: readonly Block[]): string[][] {
  const found: string[][] = [[], ...heads.map(() => [] as string[])];
  let section = 0;
  for (const { node: block } of blocks) {
    if (block.type === "heading") section++;
    for (const node of inside(block)) {
      if (node.url !== undefined) found[section]?.push(decoded(node.url));
      else if (node.type === "text") found[section]?.push(...wikiLinks(node.value ?? ""));
    }
  }
  return found.map(targets);
}

function* inside(block: Mdast): Generator<Mdast> {
  const waiting = [block];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    yield at;
    for (const child of (at.children ?? []).toReversed()) waiting.push(child);
  }
}

function plainText(heading: Mdast): string {
  let text = "";
  for (const { value, alt, type } of inside(heading)) text += type === "html" ? "" : (value ?? alt ?? "");
  return text;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

const FRONT = /^\ufeff?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;

/** YAML between two lines of dashes at the very beginning. What is no mapping of plain values is text. */
export async function frontMatter(
  text: string,
): Promise<{ readonly length: number; readonly data: JsonObject }> {
  const found = text.slice(0, 4).includes("---") ? FRONT.exec(text.slice(0, MAX_HEAD)) : null;
  const none = { length: text.startsWith("\ufeff") ? 1 : 0, data: {} };
  if (!found || isDeepYaml(found[1] ?? "")) return none;
  const { parse } = await import("yaml");
  try {
    const value = parse(found[1] ?? "", { maxAliasCount: 10, schema: "core", logLevel: "silent" }) ?? {};
    if (typeof value !== "object" || Array.isArray(value)) return none;
    const data = JSON.parse(JSON.stringify(value), tidy) as JsonObject;
    return canonical(data).length > MAX_HEAD ? none : { length: found[0].length, data };
  } catch {
    return none;
  }
}

/** Absent is absent, and no key or text that a record could not hold. */
const tidy = (name: string, value: Json | null): Json | undefined =>
  name === "__proto__" || value === null
    ? undefined
    : typeof value === "string"
      ? value.toWellFormed()
      : value;

/** Tags are single visible lines; what else a front matter calls tags stays in its attributes. */
export function tagsOf(given: Json | undefined): string[] {
  const list = Array.isArray(given) ? given : typeof given === "string" ? given.split(/[,\s]+/) : [];
  const tags = list
    .filter((tag) => typeof tag === "string" || typeof tag === "number")
    .map((tag) => String(tag).replace(/^#/, "").trim())
    .filter((tag) => /^[\p{L}\p{N}\p{P}\p{S} ]{1,128}$/u.test(tag));
  return [...new Set(tags)].slice(0, 100);
}

/**
 * Markdown for a parser whose time grows with the square of some texts, and which holds the whole program up meanwhile: cut
 * where a new block must begin, and with what nobody writes by hand made plain. All offsets stay.
 */
interface Piece {
  readonly start: number;
  readonly end: number;
}

/** The parser needs some ten milliseconds for so much of an ordinary text. */
const ENOUGH = 4_096;

/** No line but one within a fence or a comment can belong to what stands before such a one. */
const HEADING = /^#{1,6}(?:[ \t]|$)/;
/** A point of a list at the margin: what it is cut from is a list of its own, which makes no difference here. */
const POINT = /^[-*+][ \t]+[^\s*_-]/;
/** A line across the page. One of dashes may underline a title. */
const RULE = /^(?:\*{3,}|_{3,})[ \t]*$/;
/** Behind so many blank lines nobody goes on with a list. */
const MOST_BLANK = 100;
/** Behind a blank line: neither indented nor a point of a list. */
const PLAIN = /^[^\s\d*+>-]/;

const LINE_END = /\r\n?|\n/g;
function nextLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.test(text) ? LINE_END.lastIndex : text.length;
}

/** Places to cut a text at, from one on. Whether a fence is open there is for the parser to say. */
function nextCut(text: string, from: number): number {
  let blank = 0;
  for (let at = nextLine(text, from), next = at; at < text.length; at = next) {
    next = nextLine(text, at);
    const head = text.slice(at, Math.min(next, at + 20)).replace(/[\r\n]{1,2}$/, "");
    const isNew = HEADING.test(head) || POINT.test(head) || RULE.test(head);
    if (isNew || (blank > 0 && PLAIN.test(head)) || blank > MOST_BLANK) return at;
    blank = head.trim() === "" && next - at <= 20 ? blank + 1 : 0;
  }
  return text.length;
}

/** The pieces of a text, each parsed by `parse`, which says whether its last block may go on. */
export function* piecesOf(text: string, from: number, parse: (piece: Piece) => boolean): Generator<Piece> {
  for (let start = from, size = ENOUGH; start < text.length; ) {
    const end = start + size >= text.length ? text.length : nextCut(text, start + size);
    const piece = { start, end };
    // What goes on is read again with twice as much, so that even a fence to the very end is read a few times only.
    if (parse(piece) && end < text.length) size = 2 * (end - start);
    else {
      yield piece;
      [start, size] = [end, ENOUGH];
    }
  }
}

/** As many of one kind in one paragraph, and as many quotes and lists in one another, nobody writes. */
const MOST = 300;
const DEEPEST = 32;
/** Nor as many underlined titles, beginnings and ends of code, or points at no margin, in one piece. */
const MOST_LINES = 1_000;
const MARKS = /[[\]!]|[*_]|<|&|\\|`/g;
const KINDS: Readonly<Record<string, number>> = {
  ...{ "[": 0, "]": 0, "!": 0, "*": 1, _: 1, "<": 2, "&": 3, "\\": 4, "`": 5 },
};
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*\r?\n?$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
/** A line that ends a paragraph, or is one of its own. */
const ENDS = /^(?:\s*$| {0,3}(?:#{1,6}[ \t]|===|---|\*\*\*|\* \* \*|```|~~~|[-*+][ \t]+\S))/;
/** A line that goes on with a paragraph wherever it stands in one. */
const GOES_ON = /^[ \t]*(?:[\p{L}|,;.!?"'(]|=+[ \t]*[^=\s])/u;

/**
 * The same with an `x` for every sign that too many of its kind stand with in one paragraph, and for signs of quotes and
 * lists within too many others. As long as it was; the same text where nothing is too much.
 */
export function tamed(text: string): string {
  const out: string[] = [];
  let counts = [0, 0, 0, 0, 0, 0];
  let underlines = 0;
  let points = 0;
  let fences = 0;
  let plainLines = 0;
  for (const line of text.split(/(?<=\n|\r(?!\n))/)) {
    if (ENDS.test(line.slice(0, 20))) counts = [0, 0, 0, 0, 0, 0];
    CONTAINER.lastIndex = 0;
    let plain = shallow(line, CONTAINER.test(line) && ++points > MOST_LINES ? 0 : DEEPEST);
    if (UNDERLINE.test(plain) && ++underlines > MOST_LINES) plain = plain.replace(/[=-]/g, "x");
    const isFence = FENCE.test(plain);
    if (isFence && ++fences > MOST_LINES) plain = plain.replace(/[`~]/g, "x");
    if (!isFence && /[[\]!*_<&\\`]/.test(plain))
      plain = plain.replace(MARKS, (sign) => {
        const kind = KINDS[sign] as number;
        counts[kind] = (counts[kind] as number) + 1;
        return (counts[kind] as number) > MOST ? "x" : sign;
      });
    // Each line costs, and of a paragraph that never ends only where it begins and ends counts.
    const goesOn = GOES_ON.test(plain);
    if (goesOn && plainLines > MOST) out[out.length - 1] = `${(out.at(-1) as string).slice(0, -1)} `;
    plainLines = goesOn && /[\r\n]$/.test(plain) ? plainLines + 1 : 0;
    out.push(plain);
  }
  return out.join("");
}

/** A line whose quotes and lists are not deeper in one another than anybody reads. */
function shallow(line: string, deepest: number): string {
  CONTAINER.lastIndex = 0;
  let depth = 0;
  let at = 0;
  while (depth < deepest && CONTAINER.test(line)) {
    depth++;
    at = CONTAINER.lastIndex;
  }
  return depth < deepest ? line : line.slice(0, at) + line.slice(at).replace(/[>*+\-\d]/g, "x");
}
