import { canonical, type JsonObject, PalimpsestError } from "../../core/base/index.js";
import { frontMatter, tagsOf } from "../markdown.js";
import { fileName } from "../source.js";
import { defined, type Import, type ImportedMemory, piecesOf, textOf } from "./item.js";

export type NotesFormat = "basic-memory" | "obsidian";
type Files = ReadonlyMap<string, string>;

/**
 * A folder of Markdown notes. Each is one note with its front matter, tags and links as they are; of basic-memory also
 * what it observes (`- [kind] text #tag`) as facts, and what it relates (`- verb [[Note]]`) as triples.
 */
export async function importNotes(files: Files, format: NotesFormat): Promise<Import> {
  const memories: ImportedMemory[] = [];
  const notes = [...files].filter(([path]) => /\.md$/i.test(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, text] of notes) {
    const { length, data } = await frontMatter(text);
    const body = format === "obsidian" ? withoutComputed(text.slice(length)) : text.slice(length);
    const id = `${format}/${textOf(data.permalink) ?? path.replace(/\.md$/i, "")}`;
    const title = textOf(data.title) ?? fileName(path).replace(/\.md$/i, "");
    const note = { format, id, path, title, body };
    memories.push(...noteOf(note, data));
    if (format === "basic-memory") memories.push(...observationsOf(note), ...relationsOf(note));
  }
  if (memories.length === 0) throw new PalimpsestError("INVALID_FILE", "There are no notes in this folder.");
  return { memories, forgotten: [], problems: [] };
}

interface Note {
  readonly format: NotesFormat;
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly body: string;
}

const TAG = /(?<![\p{L}\p{N}_/&])#([\p{L}_][\p{L}\p{N}_/-]{0,99})/gu;
const MOST_TAGS = 32;

function noteOf({ format, id, path, title, body }: Note, data: JsonObject): ImportedMemory[] {
  const tags = [...new Set([...tagsOf(data.tags), ...inlineTags(body)])].slice(0, MOST_TAGS);
  const front = canonical(data).length > 8_000 ? {} : data;
  return piecesOf(body.trim() === "" ? title : body).map((text, piece) => ({
    id: piece === 0 ? id : `${id}#${piece + 1}`,
    type: "note",
    text,
    ...(piece > 0 && { parent: id }),
    ...(tags.length > 0 && piece === 0 && { tags }),
    attributes: defined({ ...front, TITLE: title, imported: { from: format, path } }) as JsonObject,
    uri: path.slice(0, 2_000),
  }));
}

/** What an Obsidian page computes when it is shown, and what it hides: noise to a reader of its text. */
const COMPUTED = /^(?:dataview|dataviewjs|query|tasks|button)$/;
/** An expression; operators and formulas of spreadsheets are what somebody wrote about. */
const COMPUTED_INLINE = /^`\$?= *(?![A-Z]+[(\d])[\w"'([]/;
/** A block of code, a hidden part, or code in a line; whichever begins first hides or keeps what is inside it. */
const PARTS =
  /^[ \t]*(`{3,}|~{3,})[ \t]*(\w*)[^\n]*(?:\n[\s\S]*?)??(?:\n[ \t]*\1[`~]*[ \t]*$\n?|(?![\s\S]))|%%[\s\S]*?%%|`[^`\n]*`/gm;

function withoutComputed(body: string): string {
  return body.replace(PARTS, (part: string, fence: string | undefined, kind = "") => {
    if (fence !== undefined) return COMPUTED.test(kind) ? "" : part;
    return part.startsWith("%%") || COMPUTED_INLINE.test(part) ? "" : part;
  });
}

const inlineTags = (text: string): string[] => [
  ...new Set([...text.matchAll(TAG)].map(([, tag]) => tag as string)),
];

// What separates lines is no blank of a line: from each of many the engine would look on anew.
const OBSERVATION =
  /^[^\S\r\n\u2028\u2029]*[-*][^\S\r\n\u2028\u2029]+\[([^\][(]{2,64})\][^\S\r\n\u2028\u2029]+(?!\s)(.+)$/gmu;
const RELATION =
  /^[^\S\r\n\u2028\u2029]*[-*][^\S\r\n\u2028\u2029]+(?!\s)([^\][\r\n]{0,120})\[\[([^\][|]{1,200})(?:\|[^\][\r\n]*)?\]\]/gmu;

function observationsOf({ format, id, path, body }: Note): ImportedMemory[] {
  return [...body.matchAll(OBSERVATION)].map(([, kind = "", said = ""], at) => {
    const tags = inlineTags(said).slice(0, MOST_TAGS);
    return {
      id: `${id}/observation-${at + 1}`,
      type: said.length > 1_200 ? "note" : "fact",
      text: said.replaceAll(TAG, "").replace(/\s+/g, " ").trim() || said.trim(),
      category: kind.trim(),
      ...(tags.length > 0 && { tags }),
      attributes: { imported: { from: format, note: id } },
      uri: path.slice(0, 2_000),
    };
  });
}

function relationsOf({ format, id, path, title, body }: Note): ImportedMemory[] {
  return [...body.matchAll(RELATION)].map(([, verb = "", target = ""], at) => {
    const predicate = verb.trim() || "links to";
    return {
      id: `${id}/relation-${at + 1}`,
      // Not a belief: two notes that name each other say nearly the same, and neither link may go.
      type: "note",
      text: `${title} ${predicate.replaceAll("_", " ")} ${target.trim()}`.replace(/\s+/g, " "),
      triple: { subject: title, predicate, object: target.trim() },
      attributes: { imported: { from: format, note: id } },
      uri: path.slice(0, 2_000),
    };
  });
}
