import { PalimpsestError } from "../../base/index.js";
import { derivedId } from "../derived-id.js";
import { audience, defined, type Import, type ImportedMemory, isObject, textOf } from "./item.js";

const FIELDS = [
  ["scope", "type", "attributes", "category", "tags", "parent", "position", "tier", "topic", "lifetime"],
  ["expiresAt", "confidence", "sensitivity", "evidence", "uri", "turn", "valid"],
].flat();

/** Our own export as JSON, and that of nanobot, whose memories are triples. */
export function importJson(text: string): Import {
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw new PalimpsestError("INVALID_FILE", "This is not JSON.");
  }
  const list = Array.isArray(data) ? data : isObject(data) ? data.memories : undefined;
  if (!Array.isArray(list))
    throw new PalimpsestError("INVALID_FILE", "There is no list of memories in this file.");
  return collect(list.map((value, index) => [`memory ${index + 1}`, value]));
}

/** One memory per line, as `export --format jsonl` writes and `remember --jsonl` reads them. */
export function importJsonl(text: string): Import {
  const rows = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((row, index) => [`line ${index + 1}`, row] as const)
    .filter(([, row]) => row.trim() !== "");
  return collect(
    rows.map(([where, row]) => {
      try {
        return [where, JSON.parse(row)];
      } catch {
        return [where, undefined];
      }
    }),
  );
}

function collect(values: readonly (readonly [string, unknown])[]): Import {
  const memories: ImportedMemory[] = [];
  const problems: { where: string; reason: string }[] = [];
  for (const [where, value] of values) {
    const memory = isObject(value) ? memoryOf(value) : undefined;
    if (memory) memories.push(memory);
    else
      problems.push({ where, reason: "This is no memory: an object with a text or a triple is expected." });
  }
  return { memories, forgotten: [], problems };
}

function memoryOf(value: Record<string, unknown>): ImportedMemory | undefined {
  const { subject, predicate, object } = isObject(value.triple) ? value.triple : value;
  const isTriple = [subject, predicate, object].every((part) => textOf(part) !== undefined);
  const triple = isTriple
    ? { subject: subject as string, predicate: predicate as string, object: object as string }
    : undefined;
  const text =
    textOf(value.text) ??
    (triple && `${triple.subject} ${triple.predicate.replaceAll("_", " ")} ${triple.object}`);
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

/** Others call a lifetime or a subject a scope; only what can be an audience is one here. */
function scopeOrCategory(given: string): Partial<ImportedMemory> {
  if (given === "shared" || /^(?:agent|project|user|team)\//.test(given)) return { scope: given };
  if (given === "permanent" || given === "session" || given === "temporary") return { scope: "shared" };
  return given.includes("/") || given.includes(" ")
    ? { scope: "shared", category: given }
    : { scope: audience(given) as string };
}
