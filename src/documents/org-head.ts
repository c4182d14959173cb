import { latePattern } from "../core/base/index.js";

/** The lines that belong to an Org headline before its text begins: the headline, planning, the property drawer. */
export interface OrgHead {
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
export const withoutBlanks = (text: string): string =>
  text.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "");

/** The line that begins at `at`, without its end, and where the next begins. */
export function lineAt(text: string, at: number): { readonly text: string; readonly end: number } {
  const found = text.indexOf("\n", at);
  const end = found < 0 ? text.length : found + 1;
  const stop = found < 0 ? text.length : found;
  return { text: text.slice(at, text[stop - 1] === "\r" && stop > at ? stop - 1 : stop), end };
}
