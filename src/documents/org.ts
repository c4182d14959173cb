import type { Json, JsonObject } from "../core/base/index.js";
import { fileName } from "./file-name.js";
import { linksInOrg } from "./link-text.js";
import type { DocNode } from "./node.js";
import { COMMON_KEYWORDS, lineAt, type OrgHead, readDrawer, readHead, withoutBlanks } from "./org-head.js";
import { nest } from "./outline.js";
import type { Section } from "./source.js";
import { taskCounts } from "./tasks.js";

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
