import type { JsonObject } from "../../core/base/index.js";
import { derivedId } from "../derived-id.js";
import { defined, type ImportedMemory, isObject, textOf } from "./item.js";

/** One memory of a mem0 export: its text is called `memory`, whose it is says a `user_id` or an `agent_id`. */
export function fromMem0(value: Record<string, unknown>): ImportedMemory | undefined {
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
export function relationOfMem0(value: Record<string, unknown>): ImportedMemory | undefined {
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
