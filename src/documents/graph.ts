import type { MemoryId } from "../core/base/index.js";
import { byCodeUnit, type MemoryRecord } from "../core/ledger/index.js";
import { derivedId } from "./derived-id.js";
import type { ImportedMemory } from "./import/item.js";

/** A knowledge graph as the official memory server of the Model Context Protocol speaks of it. */
export interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}
export interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}
export interface EntityGraph {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
}

/** An entity is a document, what was observed of it lies below it, and a relation is a document of its own. */
export const GRAPH_TYPES = ["entity", "remark", "relation"] as const;

/** Entities of one name may be several; the second and later ones carry a number. */
export const entityId = (name: string, occurrence: number): MemoryId =>
  derivedId("graph", "entity", name, occurrence);
export const remarkId = (entity: string, text: string, occurrence: number): MemoryId =>
  derivedId(entity, "remark", text, occurrence);
export const relationId = ({ from, to, relationType }: Relation, occurrence: number): MemoryId =>
  derivedId("graph", "relation", JSON.stringify([from, to, relationType]), occurrence);

type Placed = { readonly id: MemoryId; readonly position: string };

export const entityMemory = (
  { name, entityType }: Omit<Entity, "observations">,
  { id, position }: Placed,
): ImportedMemory => ({ id, position, type: "entity", text: name, attributes: { entityType } });

export const remarkMemory = (
  parent: MemoryId,
  content: string,
  { id, position }: Placed,
): ImportedMemory => ({ id, parent, position, type: "remark", text: content });

export const relationMemory = (
  { from, to, relationType }: Relation,
  { id, position }: Placed,
): ImportedMemory => ({
  ...{ id, position, type: "relation", attributes: { from, to, relationType } },
  text: `${JSON.stringify(from)} ${relationType} ${JSON.stringify(to)}`,
});

/** What it says. Stores made before memories could be without text keep one of blanks beside a text that stands for it. */
export const exactText = ({ text, attributes }: Pick<MemoryRecord, "text" | "attributes">): string =>
  typeof attributes?.exact === "string" ? attributes.exact : text;

const attribute = ({ attributes }: MemoryRecord, name: string): string => {
  const value = attributes?.[name];
  return typeof value === "string" ? value : "";
};
export const typeOfEntity = (record: MemoryRecord): string => attribute(record, "entityType");
export const relationOf = (record: MemoryRecord): Relation => ({
  from: attribute(record, "from"),
  to: attribute(record, "to"),
  relationType: attribute(record, "relationType"),
});

/** In the order in which they came; where two branches gave one position twice, ids decide. */
export const byPosition = (a: MemoryRecord, b: MemoryRecord): number =>
  byCodeUnit(a.position ?? "", b.position ?? "") || byCodeUnit(a.id, b.id);

/** The lines of the official server's file: entities first, no line feed at the end. */
export const entityLine = ({ name, entityType, observations }: Entity): string =>
  JSON.stringify({ type: "entity", name, entityType, observations });
export const relationLine = ({ from, to, relationType }: Relation): string =>
  JSON.stringify({ type: "relation", from, to, relationType });

export function* graphLines({ entities, relations }: EntityGraph): Generator<string> {
  let start = "";
  for (const line of [...entities.map(entityLine), ...relations.map(relationLine)]) {
    yield `${start}${line}`;
    start = "\n";
  }
}
