import type { JsonObject } from "../core/base/index.js";
import type { FullRecord } from "../core/ledger/index.js";
import { derivedId } from "./derived-id.js";
import { fieldsOf, type Nested } from "./export.js";
import { type ImportEntry, type ImportedMemory, isObject, textOf } from "./import/item.js";
import type { TextLine } from "./text-lines.js";

/*
 * A Markdown page of memories by room. People see headings and lists; behind each line stands a comment with the id and
 * with whatever the line itself does not say, so that the page can be read back whole:
 *   ### room <!-- ^id {"type":"room",…} -->      #### drawer <!-- … -->      - text <!-- … -->
 */
/** How the first line of such a page ends. */
export const BY_ROOM = ", by room.";
const ELSEWHERE = "Not in a room";
const MARK = /^(?:(.*?) )?<!-- \^(\S+) (\{(?:(?!--).)*\}) -->$/s;

/** What lies in rooms, room by room, then everything else; `memories` is asked twice. */
export async function* roomsMarkdown(memories: () => AsyncIterable<Nested>): AsyncGenerator<string> {
  for await (const { memory, isInside } of placed(memories())) if (isInside) yield shown(memory);
  let isFirst = true;
  for await (const { memory, isInside } of placed(memories())) {
    if (isInside) continue;
    if (isFirst) yield `\n### ${ELSEWHERE}\n\n`;
    isFirst = false;
    yield shown(memory);
  }
}

async function* placed(memories: AsyncIterable<Nested>) {
  let top = Number.POSITIVE_INFINITY;
  for await (const { memory, level } of memories) {
    if (level <= top) top = isPlace(memory) ? level : Number.POSITIVE_INFINITY;
    yield { memory, isInside: level >= top };
  }
}

const isPlace = ({ type }: FullRecord): boolean => type === "palace" || type === "room";

function shown(memory: FullRecord): string {
  const { source: _, ...fields } = fieldsOf(memory);
  const title = textOf(memory.attributes.TITLE) ?? memory.text;
  if (memory.type === "palace") return `\n${mark(fields)}\n`;
  if (memory.type === "room" || memory.type === "drawer") {
    const depth = memory.type === "room" ? "###" : "####";
    const own = memory.text === title ? "" : `\n> ${memory.text.replaceAll("\n", "\n> ")}\n`;
    return `\n${depth} ${title.replaceAll(/\s+/g, " ")} ${mark(fields)}\n${own}\n`;
  }
  const indented = memory.text.replaceAll("\n", "\n  ");
  const { text: __, ...rest } = fields;
  return `- ${indented} ${mark(textIn(indented) === memory.text ? rest : fields)}\n`;
}

const mark = ({ id, ...rest }: JsonObject): string =>
  `<!-- ^${encodeURIComponent(String(id)).replaceAll("--", "-%2D")} ${JSON.stringify(rest).replaceAll("--", "-\\u002d")} -->`;

/** As it will be read: a line of white space is left out. */
const textIn = (said: string): string =>
  said
    .split("\n")
    .map((line, at) => (at === 0 ? line : line.trim() === "" ? "" : line.slice(2)))
    .join("\n");

/** Where a line that names no place of its own belongs: below a memory, or in a room that is made if it is not there. */
type Place = Pick<ImportedMemory, "parent" | "in">;

/**
 * Reads such a page, which somebody may have edited: what the line of a memory says counts, a new line is a new memory, and
 * a new heading a new place. Places that are known keep their names.
 */
export async function* roomEntries(lines: AsyncIterable<TextLine>): AsyncGenerator<ImportEntry> {
  let said: string[] = [];
  let place: Place = {};
  let room: string | undefined;
  let last = 0;
  let isAmong = false;
  const collected = (): ImportEntry[] => {
    const whole = said.join("\n").trimEnd();
    said = [];
    if (whole === "") return [];
    if (whole.lastIndexOf("<!-- ^") > whole.lastIndexOf("-->"))
      return [{ problem: { where: `line ${last}`, reason: "It ends in the middle." } }];
    const memory = memoryIn(whole, place);
    const [, signs, title] = /^(###+) (.*?)(?: <!-- [\s\S]*)?$/.exec(whole) ?? [];
    if (title !== undefined) {
      place = memory
        ? { parent: memory.id }
        : { in: signs === "###" || room === undefined ? title : `${room}/${title}` };
      if (signs === "###") room = title;
    }
    return memory ? [{ memory }] : [];
  };
  for await (const line of lines) {
    if ("problem" in line) {
      yield { problem: { where: `line ${line.number}`, reason: `It ${line.problem}.` } };
      continue;
    }
    const { text, number } = line;
    const isContinued = said[0]?.startsWith("- ") && text.startsWith("  ");
    // Blank lines are not kept, only counted.
    if (isContinued) said.push(...Array<string>(number - last - 1).fill(""), text);
    else yield* collected();
    last = number;
    if (isContinued) continue;
    if (text.startsWith("## ")) isAmong = text === "## Memories";
    else if (!isAmong) continue;
    else if (text === `### ${ELSEWHERE}`) [place, room] = [{}, undefined];
    else if (/^(?:- |#{3,4} |<!-- \^)/.test(text)) said = [text];
  }
  yield* collected();
}

function memoryIn(whole: string, place: Place): ImportedMemory | undefined {
  const [, line = "", id, json = "{}"] = MARK.exec(whole) ?? [undefined, whole];
  const fields: unknown = parsed(json);
  const text = line.startsWith("- ") ? textIn(line.slice(2)) : undefined;
  if (!isObject(fields) || (id === undefined && textOf(text) === undefined)) return undefined;
  return {
    ...(id === undefined && place),
    ...(fields as Partial<ImportedMemory>),
    id: id === undefined ? derivedId("import", "fact", String(text), 0) : decoded(id),
    text: typeof fields.text === "string" ? fields.text : (text ?? ""),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
