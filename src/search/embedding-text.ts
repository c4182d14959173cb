import { type Hash, hashValue, isBlank } from "../core/base/index.js";
import { laneOf, type MemoryRecord } from "../core/ledger/index.js";
import type { Mention, Names } from "./embed/names.js";

/** What is embedded of a memory: one or more texts, and the key of the vectors they give. */
export interface Prepared {
  readonly texts: readonly string[];
  readonly key: Hash;
  readonly source: Hash;
}

/** The title of a document says what the rest is about. */
function sourceText({ text, attributes }: MemoryRecord): string {
  const title = attributes?.TITLE;
  return typeof title === "string" && !text.includes(title) ? `${title}\n${text}` : text;
}

/** The salt of a private record keeps others from guessing its text by the key. */
const keyOf = (record: MemoryRecord, said: object): Hash =>
  hashValue("vector", record.salt === undefined ? said : { ...said, salt: record.salt });

/** Under which its vectors are removed when a memory is erased; the same whatever the model and the names. */
export const vectorSource = (record: MemoryRecord): Hash => keyOf(record, { source: sourceText(record) });

/** Undefined when there is nothing to embed. */
export function prepare(record: MemoryRecord, names: Names, maxTokens: number): Prepared | undefined {
  if (isBlank(record.text)) return undefined;
  const texts = chunkText(names.strip(sourceText(record)), maxTokens);
  return texts.length === 0
    ? undefined
    : { texts, key: keyOf(record, { texts }), source: vectorSource(record) };
}

/** Who is in a memory: the speaker of a message, the subject of a triple. */
export const mentionOf = (record: MemoryRecord): Mention => ({
  speaker: laneOf(record.type) === "message" ? record.origin.actor : undefined,
  subject: record.triple?.subject,
  text: record.text,
});

/** Under this note of a store stands what is embedded, for processes that have loaded nothing of it. */
export const EMBEDDED = "embedded";

export interface EmbeddingNote {
  readonly model: string;
  /** Over the branches in use where it was written. */
  readonly embedded: number;
  readonly waiting: number;
  /** How much work that is, for the process that does it; unknown before anything was embedded there. */
  readonly remainingMs?: number | undefined;
}

/** What a note says; undefined for none, or one that cannot be read. */
export function readNote(note: string | undefined): EmbeddingNote | undefined {
  try {
    const { model, embedded, waiting, remainingMs } = JSON.parse(note ?? "null") as EmbeddingNote;
    return {
      model: String(model),
      embedded: Number(embedded),
      waiting: Number(waiting),
      ...(typeof remainingMs === "number" && { remainingMs }),
    };
  } catch {
    return undefined;
  }
}

/** A text up to this long is embedded whole. */
const WHOLE = 700;
/** Parts are no shorter than this, where the text allows: a lone sentence says little. */
const LEAST = 450;
/** English has about four characters to a token. */
const CHARS_PER_TOKEN = 4;
const MOST = 4;

/** One language for all machines: the same text has to give the same parts everywhere. */
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * A long text in up to 4 parts of about equal length, cut between sentences where there are any. Each part fits the
 * model; of a text that is longer than four such parts the rest is left to the search for words.
 */
export function chunkText(text: string, maxTokens: number): string[] {
  const whole = text.trim();
  if (whole === "") return [];
  const room = maxTokens * CHARS_PER_TOKEN;
  if (whole.length <= Math.min(WHOLE, room)) return [whole];
  const target = Math.min(room, Math.max(Math.min(LEAST, room), Math.ceil(whole.length / MOST)));
  const parts: string[] = [];
  let part = "";
  for (const sentence of pieces(whole.slice(0, room * MOST * 2), room)) {
    const isFull = part.length + sentence.length > room || part.length >= target;
    if (part !== "" && isFull && parts.length < MOST - 1) {
      parts.push(part);
      part = "";
    }
    if (part.length + sentence.length > room) break;
    part += sentence;
  }
  parts.push(part);
  return parts.map((each) => each.trim()).filter((each) => each !== "");
}

/** Sentences; one that does not fit is cut at its length, never inside a character. */
function* pieces(text: string, room: number): Generator<string> {
  for (const { segment } of sentences.segment(text)) {
    if (segment.length <= room) yield segment;
    else for (let at = 0; at < segment.length; at += room) yield segment.slice(at, at + room).toWellFormed();
  }
}
