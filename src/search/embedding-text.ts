import { type Hash, hashValue, isBlank } from "../core/base/index.js";
import { laneOf, type MemoryRecord } from "../core/ledger/index.js";
import { chunkText } from "./embed/chunks.js";
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
