import { type Json, type JsonObject, latePattern } from "../core/base/index.js";
import type { DocNode } from "./ast.js";
import { linksInOrg } from "./link-text.js";
import { nest } from "./outline.js";
import type { Section } from "./source.js";
import { fileName, taskCounts } from "./source.js";

const KEYWORD = /^[ \t]*#\+([A-Za-z_]+):(.*)$/;

/**
 * An Org file as a tree of its headlines. In Org a line of stars and a space is a headline wherever it stands, and
 * planning and properties come right below it, so the outline is found line by line, in one pass and exactly.
 */
export function parseOrg(text: string, path: string): DocNode {
  const starts = [...text.matchAll(/(?<=^|\n)\*+ /g)].map(({ index }) => index);
  const file = readPreamble(text.slice(0, starts[0] ?? text.length));
  const title = file.keywords.get("TITLE") || fileName(path);
  const id = file.properties.get("ID") || undefined;
  const sections: Section[] = [
    {
      level: 0,
      marks: "",
      id,
      type: "document",
      title,
      head: file.head,
      body: file.body,
      attributes: plain(
        {
          TITLE: title,
          TAGS: file.tags,
          LINKS: linksInOrg(file.body),
          TASKS: taskCounts(file.body),
        },
        file.properties,
      ),
      tags: file.tags,
    },
  ];
  const above: { level: number; tags: readonly string[] }[] = [{ level: 0, tags: file.tags }];
  for (const [at, start] of starts.entries()) {
    const source = text.slice(start, starts[at + 1] ?? text.length);
    const head = readHead(source, file.todo);
    while ((above.at(-1) as { level: number }).level >= head.level) above.pop();
    const tags = [...new Set([...(above.at(-1) as { tags: readonly string[] }).tags, ...head.tags])];
    above.push({ level: head.level, tags });
    sections.push(sectionOf(source, head, tags));
  }
  return nest(sections);
}

function sectionOf(source: string, head: OrgHead, tags: readonly string[]): Section {
  const body = source.slice(head.length);
  const id = head.properties.get("ID") || undefined;
  return {
    id,
    level: head.level,
    marks: "*".repeat(head.level),
    type: "headline",
    title: head.title,
    head: source.slice(head.level, head.length),
    body,
    attributes: plain(
      {
        TITLE: head.title || undefined,
        TODO: head.todo,
        PRIORITY: head.priority,
        TAGS: head.tags,
        LINKS: linksInOrg(head.title, body),
        TASKS: taskCounts(body),
      },
      head.properties,
      head.planning,
    ),
    tags,
  };
}

/**
 * Attributes without what is absent: no empty lists, no undefined; and no name that is no plain key. What is found in a
 * text stands above what is written down of it.
 */
export function plain(
  found: { readonly [name: string]: Json | undefined },
  ...written: readonly ReadonlyMap<string, string>[]
): JsonObject {
  const kept: Record<string, Json> = {};
  const keep = (name: string, value: Json | undefined): void => {
    if (value === undefined || value === "" || name === "__proto__") return;
    if (!Array.isArray(value) || value.length > 0) kept[name] = value;
  };
  for (const entries of written)
    for (const [name, value] of entries) if (!Object.hasOwn(found, name)) keep(name, value);
  for (const name in found) keep(name, found[name]);
  return kept;
}

interface Preamble {
  readonly head: string;
  readonly body: string;
  readonly keywords: ReadonlyMap<string, string>;
  readonly properties: ReadonlyMap<string, string>;
  readonly tags: readonly string[];
  readonly todo: ReadonlySet<string>;
}

/** What stands before the first headline: a drawer, keywords (`#+TITLE:`), and then text. */
function readPreamble(text: string): Preamble {
  const keywords = new Map<string, string>();
  const todo = new Set<string>();
  let properties = new Map<string, string>();
  let at = text.startsWith("\ufeff") ? 1 : 0;
  let isHead = true;
  let head = at;
  while (at < text.length) {
    const drawer: ReturnType<typeof readDrawer> =
      isHead && properties.size === 0 ? readDrawer(text, at) : undefined;
    const line = lineAt(text, at);
    const [, name, value = ""] = KEYWORD.exec(line.text) ?? [];
    if (drawer) properties = drawer.properties;
    if (name !== undefined) note(name.toUpperCase(), withoutBlanks(value), keywords, todo);
    at = drawer?.end ?? line.end;
    isHead &&= drawer !== undefined || name !== undefined || /^[ \t]*(?:#[ \t].*)?$/.test(line.text);
    if (isHead) head = at;
  }
  const tags = (keywords.get("FILETAGS") ?? "").split(/[\s:]+/).filter((tag) => tag !== "");
  return {
    head: text.slice(0, head),
    body: text.slice(head),
    keywords,
    properties,
    tags: [...new Set(tags)],
    todo: todo.size > 0 ? todo : COMMON_KEYWORDS,
  };
}

function note(name: string, value: string, keywords: Map<string, string>, todo: Set<string>): void {
  if (/^(?:SEQ_|TYP_)?TODO$/.test(name)) {
    for (const word of value.split(/[\s|]+/))
      if (word !== "") todo.add(word.endsWith(")") ? word.replace(/\(.*/, "") : word);
    return;
  }
  const before = keywords.get(name);
  keywords.set(name, before === undefined ? value : `${before} ${value}`);
}

/** The lines that belong to an Org headline before its text begins: the headline, planning, the property drawer. */
interface OrgHead {
  readonly level: number;
  readonly title: string;
  readonly todo: string | undefined;
  readonly priority: string | undefined;
  readonly tags: readonly string[];
  readonly planning: ReadonlyMap<string, string>;
  readonly properties: ReadonlyMap<string, string>;
  /** How many characters of the section the head takes. */
  readonly length: number;
}

/** In files that declare no keywords of their own: what people commonly have in their configuration. */
const COMMON =
  "TODO NEXT DOING STARTED INPROGRESS IN-PROGRESS WAIT WAITING HOLD SOMEDAY REVIEW APPROVED DONE CANCELLED CANCELED KILL";
export const COMMON_KEYWORDS: ReadonlySet<string> = new Set(COMMON.split(" "));

const TAGS = latePattern("u")`(?:^|[ \t])(:[\p{L}\p{N}_@#%:]+:)$`;
const PRIORITY = /^\[#([A-Za-z0-9]{1,2})\][ \t]*/;
const PLANNING = /\b(CLOSED|DEADLINE|SCHEDULED):[ \t]*([<[][^\]>\n]{0,200}[\]>])/g;
const PROPERTY = /^[ \t]*:([^\s:]+?)(\+?):(?:[ \t](.*))?$/;

const NONE: ReadonlyMap<string, string> = new Map();

export function readHead(section: string, keywords: ReadonlySet<string>): OrgHead {
  const first = lineAt(section, 0);
  const { level, title, todo, priority, tags } = headlineOf(first.text, keywords);
  let at = first.end;
  let planning = NONE;
  const second = lineAt(section, at);
  if (/^[ \t]*(?:CLOSED|DEADLINE|SCHEDULED):/.test(second.text)) {
    planning = new Map([...second.text.matchAll(PLANNING)].map(([, name, time]) => [name!, time!]));
    at = second.end;
  }
  const drawer = readDrawer(section, at);
  const properties = drawer?.properties ?? NONE;
  return { level, title, todo, priority, tags, planning, properties, length: drawer?.end ?? at };
}

function headlineOf(line: string, keywords: ReadonlySet<string>) {
  const level = /^\**/.exec(line)?.[0].length ?? 0;
  let rest = line.slice(level).trim();
  const word = /^\S+/.exec(rest)?.[0] ?? "";
  const todo = keywords.has(word) ? word : undefined;
  if (todo) rest = rest.slice(todo.length).trimStart();
  const priority = PRIORITY.exec(rest);
  if (priority) rest = rest.slice(priority[0].length);
  const marked = TAGS().exec(rest);
  if (marked) rest = rest.slice(0, marked.index);
  const tags = (marked?.[1] ?? "").split(":").filter((tag) => tag !== "");
  return { level, title: rest.trim(), todo, priority: priority?.[1], tags };
}

/** A property drawer that begins at `start`: its properties by upper-case name, and where it ends. */
export function readDrawer(
  text: string,
  start: number,
): { readonly properties: Map<string, string>; readonly end: number } | undefined {
  const begin = lineAt(text, start);
  if (!/^[ \t]*:PROPERTIES:[ \t]*$/i.test(begin.text)) return undefined;
  const properties = new Map<string, string>();
  for (let at = begin.end; at < text.length; ) {
    const line = lineAt(text, at);
    at = line.end;
    if (/^[ \t]*:END:[ \t]*$/i.test(line.text)) return { properties, end: at };
    const [, given, plus, said = ""] = PROPERTY.exec(line.text) ?? [];
    if (given === undefined) return undefined;
    const value = withoutBlanks(said);
    const name = given.toUpperCase();
    const before = plus ? properties.get(name) : undefined;
    properties.set(name, before === undefined ? value : `${before} ${value}`);
  }
  return undefined;
}

/** Without the blanks before and behind it. In one pass: a pattern for both would look on from every blank anew. */
const withoutBlanks = (text: string): string => text.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "");

/** The line that begins at `at`, without its end, and where the next begins. */
export function lineAt(text: string, at: number): { readonly text: string; readonly end: number } {
  const found = text.indexOf("\n", at);
  const end = found < 0 ? text.length : found + 1;
  const stop = found < 0 ? text.length : found;
  return { text: text.slice(at, text[stop - 1] === "\r" && stop > at ? stop - 1 : stop), end };
}
