import type { JsonObject } from "../../core/base/index.js";
import { laneOf } from "../../core/ledger/index.js";
import { derivedId } from "../derived-id.js";
import { audience, defined, type ImportEntry, type ImportedMemory, isObject, textOf } from "./item.js";

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

/** One memory of a mem0 export: its text is called `memory`, whose it is says a `user_id` or an `agent_id`. */
function fromMem0(value: Record<string, unknown>): ImportedMemory | undefined {
  const text = textOf(value.memory);
  if (text === undefined) return undefined;
  const { user_id, agent_id, run_id, metadata, categories, created_at, updated_at, id } = value;
  const tags = Array.isArray(categories) ? categories.filter((tag) => textOf(tag) !== undefined) : [];
  const about = isObject(metadata) ? { metadata } : {};
  return {
    id: textOf(id) ?? derivedId("mem0", "fact", JSON.stringify([text, user_id ?? agent_id ?? null]), 0),
    text,
    ...(tags.length > 0 && { tags }),
    attributes: {
      imported: defined({ from: "mem0", user_id, agent_id, run_id, created_at, updated_at, ...about }),
    } as JsonObject,
  };
}

/** An edge of its graph. Not a belief: edges about the same two say nearly the same, and none may go. */
function relationOfMem0(value: Record<string, unknown>): ImportedMemory | undefined {
  const [subject, predicate, object] = [
    textOf(value.source),
    textOf(value.relationship ?? value.relation),
    textOf(value.target ?? value.destination),
  ];
  if (subject === undefined || predicate === undefined || object === undefined) return undefined;
  return {
    id: derivedId("mem0", "relation", JSON.stringify([subject, predicate, object]), 0),
    type: "note",
    text: `${subject} ${predicate.replaceAll("_", " ")} ${object}`,
    triple: { subject, predicate, object },
    attributes: { imported: { from: "mem0" } },
  };
}
