import { positionBetween } from "../../core/ledger/index.js";
import {
  type Entity,
  entityId,
  entityMemory,
  type Relation,
  relationId,
  relationMemory,
  remarkId,
  remarkMemory,
} from "../graph.js";
import { type Import, type ImportedMemory, isObject } from "./item.js";

/** The file of the official memory server: a line for each entity and relation. */
export function importMcpMemory(text: string): Import {
  const entities: Entity[] = [];
  const relations: Relation[] = [];
  const problems: { where: string; reason: string }[] = [];
  for (const [index, row] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (row.trim() === "") continue;
    const line = parsed(row);
    if (isEntityLine(line)) entities.push(line);
    else if (isRelationLine(line)) relations.push(line);
    else problems.push({ where: `line ${index + 1}`, reason: "This is neither an entity nor a relation." });
  }
  return { memories: memoriesOf(entities, relations), forgotten: [], problems };
}

export const isGraphLine = (line: unknown): boolean => isEntityLine(line) || isRelationLine(line);

const isText = (value: unknown): value is string => typeof value === "string";
const isEntityLine = (line: unknown): line is Entity =>
  isObject(line) &&
  line.type === "entity" &&
  isText(line.name) &&
  isText(line.entityType) &&
  Array.isArray(line.observations) &&
  line.observations.every(isText);
const isRelationLine = (line: unknown): line is Relation =>
  isObject(line) && line.type === "relation" && [line.from, line.to, line.relationType].every(isText);

function memoriesOf(entities: readonly Entity[], relations: readonly Relation[]): ImportedMemory[] {
  const memories: ImportedMemory[] = [];
  const seen = new Map<string, number>();
  const occurrence = (...of: readonly string[]): number => {
    const key = JSON.stringify(of);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count;
  };
  let position: string | undefined;
  for (const entity of entities) {
    position = positionBetween(position, undefined);
    const id = entityId(entity.name, occurrence("entity", entity.name));
    memories.push(entityMemory(entity, { id, position }));
    let place: string | undefined;
    for (const content of entity.observations) {
      place = positionBetween(place, undefined);
      const remark = remarkId(id, content, occurrence("remark", id, content));
      memories.push(remarkMemory(id, content, { id: remark, position: place }));
    }
  }
  let last: string | undefined;
  for (const relation of relations) {
    last = positionBetween(last, undefined);
    const { from, to, relationType } = relation;
    const id = relationId(relation, occurrence("relation", from, to, relationType));
    memories.push(relationMemory(relation, { id, position: last }));
  }
  return memories;
}

function parsed(row: string): unknown {
  try {
    return JSON.parse(row);
  } catch {
    return undefined;
  }
}
