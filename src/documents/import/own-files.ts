import { isBlank, type JsonObject } from "../../core/base/index.js";
import { sentence } from "../../core/ledger/index.js";
import { derivedId } from "../derived-id.js";
import { BY_ROOM, roomEntries } from "../rooms-file.js";
import type { TextLine } from "../text-lines.js";
import { defined, type ImportEntry, type ImportedMemory, isObject } from "./item.js";

/** How our own files for people begin. */
export const isOwnMarkdown = (start: string): boolean => /^# Memories\r?\n\r?\nExported \d{4}-/.test(start);
export const isOwnOrg = (start: string): boolean => /^#\+TITLE: Memories\r?\n#\+DATE: \d{4}-/.test(start);

/** What was carried over Windows may end every line with a return, which nobody wrote: the first line shows it. */
async function* withoutReturns(lines: AsyncIterable<TextLine>): AsyncGenerator<TextLine> {
  let hasReturns: boolean | undefined;
  for await (const line of lines) {
    hasReturns ??= "text" in line && line.text.endsWith("\r");
    yield hasReturns && "text" in line ? { ...line, text: line.text.replace(/\r$/, "") } : line;
  }
}

/** A Markdown export line by line, by subject or by room, as its head says. */
export async function* markdownEntries(given: AsyncIterable<TextLine>): AsyncGenerator<ImportEntry> {
  const lines = withoutReturns(given);
  try {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) return;
      if (!("text" in value) || !value.text.startsWith("Exported ")) continue;
      const isByRoom = value.text.endsWith(BY_ROOM);
      yield* isByRoom ? roomEntries(lines) : subjectEntries(lines);
      return;
    }
  } finally {
    await lines.return(undefined);
  }
}

/**
 * By subject: bullets below the headings of `## Memories`. It names no ids, so they follow from what
 * is said; `predicate: **object**` is a triple about the heading, and ` — ` comes before what it says in other words.
 */
async function* subjectEntries(lines: AsyncIterable<TextLine>): AsyncGenerator<ImportEntry> {
  let heading: string | undefined;
  let said: string[] = [];
  let last = 0;
  for await (const line of lines) {
    if ("problem" in line) {
      yield { problem: { where: `line ${line.number}`, reason: `It ${line.problem}.` } };
      continue;
    }
    const { text, number } = line;
    const isContinued = said.length > 0 && text.startsWith("  ");
    if (isContinued) said.push(...Array<string>(number - last - 1).fill(""), text.slice(2));
    last = number;
    if (isContinued) continue;
    yield* bullet(heading, said);
    said = heading !== undefined && text.startsWith("- ") ? [text.slice(2)] : [];
    if (text.startsWith("### ")) heading = text.slice(4);
    else if (text.startsWith("## ")) heading = undefined;
  }
  yield* bullet(heading, said);
}

function* bullet(heading: string | undefined, said: readonly string[]): Generator<ImportEntry> {
  const whole = said.join("\n");
  // A memory without text is a point without words; nothing shows of what kind it was.
  if (heading === undefined || isBlank(whole)) return;
  const [, text = whole, percent] = /^([\s\S]+) \[(\d{1,3})%\]$/.exec(whole) ?? [];
  const [, predicate, object, words] = TRIPLE.exec(text) ?? [];
  const triple =
    predicate !== undefined && object !== undefined ? { subject: heading, predicate, object } : undefined;
  const stated = triple ? (words ?? sentence(triple)) : text;
  const id = derivedId("import", "fact", JSON.stringify([stated, triple ?? null]), 0);
  const confidence = percent === undefined ? undefined : Math.min(100, Number(percent)) / 100;
  yield { memory: { id, text: stated, ...defined({ triple, confidence }) } as ImportedMemory };
}

const TRIPLE = /^([^:*\n]{1,200}): \*\*([^\n]+?)\*\*(?: — ([\s\S]+))?$/;

const FIELDS: Readonly<Record<string, keyof ImportedMemory>> = {
  ID: "id",
  TYPE: "type",
  SCOPE: "scope",
  TIER: "tier",
  TOPIC: "topic",
  CATEGORY: "category",
  ATTRIBUTES: "attributes",
  CONFIDENCE: "confidence",
};
/** What an outline cannot say as it was, as JSON. */
export const ORG_REST = "REST";

/** An Org export line by line: each headline is a memory with its own id, below the one it hangs from. */
export async function* orgEntries(lines: AsyncIterable<TextLine>): AsyncGenerator<ImportEntry> {
  /** The ids of the headlines above, by level. */
  const above: string[] = [];
  let open: Headline | undefined;
  for await (const line of withoutReturns(lines)) {
    if ("problem" in line) {
      yield { problem: { where: `line ${line.number}`, reason: `It ${line.problem}.` } };
      continue;
    }
    const { text, number } = line;
    const [, stars, title] = /^(\*+) (.*)$/s.exec(text) ?? [];
    if (stars !== undefined && title !== undefined) {
      if (open) yield* headline(open, above);
      open = { level: stars.length, title, fields: {}, body: [], number, last: number };
    } else if (open) read(open, text, number);
  }
  if (open) yield* headline(open, above);
}

interface Headline {
  readonly level: number;
  readonly title: string;
  readonly fields: Record<string, string>;
  readonly body: string[];
  readonly number: number;
  /** The last line of it that was read. */
  last: number;
  isInDrawer?: boolean;
}

function read(open: Headline, text: string, number: number): void {
  if (text === ":PROPERTIES:" && number === open.number + 1) open.isInDrawer = true;
  else if (open.isInDrawer && text === ":END:") open.isInDrawer = false;
  else if (open.isInDrawer) {
    const [, name = "", value = ""] = /^:([^:]+): (.*)$/s.exec(text) ?? [];
    const field = name === ORG_REST ? ORG_REST : FIELDS[name];
    if (field !== undefined) open.fields[field] = value;
  } else {
    open.body.push(...Array<string>(number - open.last - 1).fill(""));
    open.body.push(text.replace(/^,(,*\*+ )/, "$1"));
  }
  open.last = number;
}

function* headline(
  { level, title, fields, body, number }: Headline,
  above: string[],
): Generator<ImportEntry> {
  const { id } = fields;
  if (id === undefined) {
    yield { problem: { where: `line ${number}`, reason: "A headline has no ID." } };
    return;
  }
  above.length = level - 1;
  const parent = above[level - 2];
  above[level - 1] = id;
  yield {
    memory: { ...orgFields(title, fields, body), ...defined({ parent }) } as unknown as ImportedMemory,
  };
}

/** What a headline says of a memory, apart from its place. */
export function orgFields(
  title: string,
  { [ORG_REST]: more, ...fields }: Readonly<Record<string, string>>,
  body: readonly string[],
): JsonObject {
  const [, said = title, tags] = /^(.*?)(?: :([\p{L}\p{N}_@#%:]+):)?$/u.exec(title) ?? [];
  const attributes = parsed(fields.attributes);
  const todo = isObject(attributes) && typeof attributes.TODO === "string" ? `${attributes.TODO} ` : "";
  const rest = parsed(more);
  return defined({
    ...fields,
    text: [said.startsWith(todo) ? said.slice(todo.length) : said, ...body].join("\n"),
    tags: tags?.split(":"),
    attributes: isObject(attributes) ? attributes : undefined,
    confidence: parsed(fields.confidence),
    ...(isObject(rest) && rest),
  });
}

/** A value of a drawer that is JSON; what is not is left out. */
function parsed(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}
