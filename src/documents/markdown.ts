import { canonical, isDeepYaml, type Json, type JsonObject } from "../core/base/index.js";
import { fileName } from "./file-name.js";
import { targets, wikiLinks } from "./link-text.js";
import { type Piece, piecesOf, tamed } from "./markdown-pieces.js";
import type { DocNode } from "./node.js";
import { plain } from "./org.js";
import { nest } from "./outline.js";
import { MAX_HEAD, type Section } from "./source.js";
import { taskCounts } from "./tasks.js";

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
