import { laneOf } from "../../core/ledger/index.js";
import { derivedId } from "../derived-id.js";
import { audience, defined, type ImportEntry, type ImportedMemory, isObject, textOf } from "./item.js";
import { fromMem0, relationOfMem0 } from "./mem0.js";

const FIELDS = [
  ["scope", "type", "attributes", "category", "tags", "parent", "position", "tier", "topic", "lifetime"],
  ["expiresAt", "confidence", "sensitivity", "evidence", "uri", "turn", "speaker", "conversation", "valid"],
].flat();

/** Keys under which files keep their lists of memories. */
const LISTS = new Set<string | undefined>([undefined, "memories", "results", "relations"]);

/**
 * One element of a JSON file, or (without a key) one line of a JSONL file: of our own exports, of nanobot's, whose
 * memories are triples, and of mem0's.
 */
export function fromExport(key: string | undefined, value: unknown, where: string): ImportEntry | undefined {
  if (key === "whole") return value === true ? { whole: true } : undefined;
  if (key === "store") return typeof value === "string" ? { image: value } : undefined;
  if (!LISTS.has(key)) return undefined;
  if (key === undefined && isObject(value)) {
    if (isObject(value.export)) return value.export.whole === true ? { whole: true } : undefined;
    if (typeof value.store === "string") return { image: value.store };
    if (isObject(value.commit)) return undefined;
  }
  const memory = isObject(value)
    ? key === "relations"
      ? relationOfMem0(value)
      : (fromMem0(value) ?? memoryOf(value))
    : undefined;
  if (memory && isObject(value))
    return { memory: textOf(value.id) === undefined ? { ...memory, where } : memory };
  const reason = "This is no memory: an object with a text or a triple is expected.";
  return { problem: { where, reason } };
}

function memoryOf(value: Record<string, unknown>): ImportedMemory | undefined {
  const { subject, predicate, object } = isObject(value.triple) ? value.triple : value;
  const isTriple = [subject, predicate, object].every((part) => textOf(part) !== undefined);
  const triple = isTriple
    ? { subject: subject as string, predicate: predicate as string, object: object as string }
    : undefined;
  const text =
    textOf(value.text) ??
    (triple && `${triple.subject} ${triple.predicate.replaceAll("_", " ")} ${triple.object}`) ??
    blankOf(value);
  if (text === undefined) return undefined;
  const fields = defined(Object.fromEntries(FIELDS.map((name) => [name, value[name]])));
  const scope = fields.scope === undefined ? undefined : scopeOrCategory(String(fields.scope));
  return {
    ...(fields as Partial<ImportedMemory>),
    ...scope,
    // What belonged to a session that is no more ends when it would have ended.
    ...(fields.lifetime === "session" && { lifetime: "temporary" as const }),
    id: textOf(value.id) ?? derivedId("import", "fact", JSON.stringify([text, triple ?? null]), 0),
    text,
    ...(triple && { triple }),
  };
}

/** Only a document may have nothing to say. */
const blankOf = ({ text, type }: Record<string, unknown>): string | undefined =>
  typeof text === "string" && typeof type === "string" && laneOf(type) === "document" ? text : undefined;

/** Others call a lifetime or a subject a scope; only what can be an audience is one here. */
function scopeOrCategory(given: string): Partial<ImportedMemory> {
  if (given === "shared" || /^(?:agent|project|user|team)\//.test(given)) return { scope: given };
  if (given === "permanent" || given === "session" || given === "temporary") return { scope: "shared" };
  return given.includes("/") || given.includes(" ")
    ? { scope: "shared", category: given }
    : { scope: audience(given) as string };
}
