import type { Exported } from "./exported-fields.js";
import { byPosition, exactText, graphLines, relationOf, typeOfEntity } from "./graph.js";

export type ExportFormat = "json" | "jsonl" | "markdown" | "org" | "mcp-memory";

export interface ExportedBranch {
  readonly name: string;
  readonly persona: string;
  readonly head: string;
}

/** The knowledge graph alone, as the official memory server keeps it. */
export function graphExport(memories: readonly Exported[]): Iterable<string> {
  const of = (type: string) => memories.filter((memory) => memory.type === type).sort(byPosition);
  const remarks = new Map<string | undefined, string[]>();
  for (const remark of of("remark")) {
    const known = remarks.get(remark.parent);
    if (known) known.push(exactText(remark));
    else remarks.set(remark.parent, [exactText(remark)]);
  }
  return graphLines({
    entities: of("entity").map((entity) => ({
      name: exactText(entity),
      entityType: typeOfEntity(entity),
      observations: remarks.get(entity.id) ?? [],
    })),
    relations: of("relation").map(relationOf),
  });
}

/** Whoever reads line by line finds a parent before its children. */
export function parentsFirst<
  T extends { readonly id: string; readonly scope?: string; readonly parent?: string },
>(items: readonly T[]): T[] {
  const keyOf = (scope: string | undefined, id: string) => `${scope ?? ""}\n${id}`;
  const byKey = new Map(items.map((item) => [keyOf(item.scope, item.id), item]));
  const done = new Set<T>();
  const order: T[] = [];
  for (const item of items) {
    const trail: T[] = [];
    for (let at: T | undefined = item; at && !done.has(at); ) {
      done.add(at);
      trail.push(at);
      at = at.parent === undefined ? undefined : byKey.get(keyOf(at.scope, at.parent));
    }
    order.push(...trail.reverse());
  }
  return order;
}
