import type { MemoryInput, TextLine } from "../../session/index.js";
import { durationOf } from "./values.js";

/** A line of a file of memories: what it says, or why it says nothing. */
export type Item = { readonly number: number } & (
  | { readonly input: MemoryInput }
  | { readonly problem: string }
);

/** Reads one line: an object with the keys of a memory, or a bare text; the gate judges the rest. */
export function itemOf(line: TextLine, defaults: MemoryInput): Item {
  const { number } = line;
  if ("problem" in line) return line;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return { number, problem: `is not JSON (${error instanceof Error ? error.message : error})` };
  }
  if (typeof value === "string") return { number, input: { ...defaults, text: value } };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { number, problem: "is not a JSON object" };
  return { number, input: { ...defaults, ...unflattened(value as Fields) } };
}

type Fields = Readonly<Record<string, unknown>>;

/** A triple may be given by its parts, a time to live in words. */
function unflattened(fields: Fields): MemoryInput {
  const { subject, predicate, object, ...rest } = fields;
  const flat = [subject, predicate, object].some((part) => part !== undefined) && rest.triple === undefined;
  const ttl = typeof rest.ttl === "string" ? (durationOf(rest.ttl) ?? rest.ttl) : rest.ttl;
  return {
    ...(flat ? { ...rest, triple: { subject, predicate, object } } : fields),
    ...(ttl !== undefined && { ttl }),
  } as MemoryInput;
}
