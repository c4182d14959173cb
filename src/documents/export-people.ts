import type { JsonObject } from "../core/base/index.js";
import { type FullRecord, sentence } from "../core/ledger/index.js";
import type { ExportedBranch } from "./export.js";
import { fieldsOf, type Nested } from "./export.js";
import { ORG_REST, orgFields } from "./import/own-files.js";
import { BY_ROOM, roomsMarkdown } from "./rooms-file.js";

/** Memories under the heading they belong to. */
export interface Group {
  readonly heading: string;
  readonly memories: AsyncIterable<FullRecord>;
}

export interface MarkdownStream {
  readonly at: string;
  readonly branch: string;
  readonly branches: readonly ExportedBranch[];
  readonly count: number;
  /** By subject. */
  readonly groups: AsyncIterable<Group>;
  /** By room instead; asked twice. */
  readonly rooms?: () => AsyncIterable<Nested>;
  readonly history?: readonly {
    readonly commit: string;
    readonly time: string;
    /** What it was for, else what it did first. */
    readonly message?: string | undefined;
  }[];
}

/** What a memory is about, as far as it says. */
export const subjectOf = ({ triple, category, type }: FullRecord): string =>
  triple?.subject ?? category ?? type;

/** A page for people: what is known, by subject. */
export async function* markdownExport(given: MarkdownStream): AsyncGenerator<string> {
  const { at, branch, branches, count, history } = given;
  const by = given.rooms ? BY_ROOM : ".";
  yield `# Memories\n\nExported ${at} from branch ${branch}: ${count} memories${by}\n\n## Branches\n\n`;
  for (const { name, persona, head } of branches) yield `- ${name} (${persona}) ${head.slice(0, 12)}\n`;
  yield "\n## Memories\n";
  yield* given.rooms ? roomsMarkdown(given.rooms) : subjectsMarkdown(given.groups);
  if (!history) return;
  yield "\n## History\n\n";
  for (const { commit, time, message } of history)
    yield `- ${time} ${commit.slice(0, 12)} ${oneLine(message ?? "")}\n`;
}

async function* subjectsMarkdown(groups: AsyncIterable<Group>): AsyncGenerator<string> {
  for await (const { heading, memories } of groups) {
    yield `\n### ${oneLine(heading)}\n\n`;
    for await (const { triple, text, confidence } of memories) {
      const said = triple ? `${oneLine(triple.predicate)}: **${oneLine(triple.object)}**` : indented(text);
      // What it says beyond its triple is not lost.
      const more = triple && plain(text) !== plain(sentence(triple)) ? ` — ${indented(text)}` : "";
      yield `- ${said}${more}${confidence === 1 ? "" : ` [${Math.round(confidence * 100)}%]`}\n`;
    }
  }
}

const plain = (text: string): string => oneLine(text).toLowerCase();
const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
const indented = (text: string): string => text.trimEnd().replace(/\n/g, "\n  ");

/** Every memory is a headline with its fields in the drawer; trees keep their shape. */
export async function* orgExport(at: string, memories: AsyncIterable<Nested>): AsyncGenerator<string> {
  yield `#+TITLE: Memories\n#+DATE: ${at}\n`;
  for await (const { memory, level } of memories) yield orgHeadline(memory, level);
}

function orgHeadline(memory: FullRecord, level: number): string {
  const [first = "", ...rest] = memory.text.split("\n");
  const tags = memory.tags.filter((tag) => /^[\p{L}\p{N}_@#%]+$/u.test(tag));
  const todo = typeof memory.attributes.TODO === "string" ? `${memory.attributes.TODO} ` : "";
  const attributes = Object.keys(memory.attributes);
  const given = {
    id: memory.id,
    type: memory.type,
    scope: memory.scope,
    tier: memory.tier,
    topic: memory.topic,
    category: memory.category,
    // Org knows only keywords, texts and tags of its own; the rest comes back from here.
    attributes: attributes.length > 0 ? JSON.stringify(memory.attributes) : undefined,
    confidence: memory.confidence === 1 ? undefined : memory.confidence,
  };
  const title = `${todo}${oneLine(first)}${tags.length > 0 ? ` :${tags.join(":")}:` : ""}`;
  const body = rest.join("\n").trimEnd();
  const drawer = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, name === "attributes" ? String(value) : oneLine(String(value))]),
  );
  // A line of white space is not shown to readers.
  const lines = body === "" ? [] : body.split("\n").map((line) => (line.trim() === "" ? "" : line));
  const back: JsonObject = { tags: [], ...orgFields(title, drawer, lines) };
  const lost = Object.entries({ tags: [], ...fieldsOf(memory) }).filter(
    ([name, value]) => !ELSEWHERE.has(name) && JSON.stringify(back[name]) !== JSON.stringify(value),
  );
  return [
    `${"*".repeat(level)} ${title}`,
    ":PROPERTIES:",
    ...Object.entries(drawer).map(([name, value]) => `:${name.toUpperCase()}: ${value}`),
    ...(lost.length === 0 ? [] : [`:${ORG_REST}: ${JSON.stringify(Object.fromEntries(lost))}`]),
    ":END:",
    // A line of stars inside a text would be a headline.
    ...(body === "" ? [] : [body.replace(/^(?=,*\*+ )/gm, ",")]),
    "",
  ].join("\n");
}

/** Shown by where a headline stands, or of no use to an import, which is a source of its own. */
const ELSEWHERE = new Set(["parent", "position", "tier", "source", "evidence", "uri", "turn"]);
