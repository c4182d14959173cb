import type { FullRecord } from "../core/ledger/index.js";
import { entityLine, exactText, relationLine, relationOf, typeOfEntity } from "./graph.js";

export type ExportFormat = "json" | "jsonl" | "markdown" | "org" | "mcp-memory";

export interface ExportedBranch {
  readonly name: string;
  readonly persona: string;
  readonly head: string;
}

/** The knowledge graph alone, as the official memory server keeps it: entities with what was observed of each, relations. */
export async function* graphExport(
  entities: AsyncIterable<{ readonly memory: FullRecord; readonly below: readonly FullRecord[] }>,
  relations: AsyncIterable<{ readonly memory: FullRecord }>,
): AsyncGenerator<string> {
  let start = "";
  for await (const { memory, below } of entities) {
    const observations = below.filter(({ type }) => type === "remark").map(exactText);
    const entity = { name: exactText(memory), entityType: typeOfEntity(memory), observations };
    yield `${start}${entityLine(entity)}`;
    start = "\n";
  }
  for await (const { memory } of relations) {
    yield `${start}${relationLine(relationOf(memory))}`;
    start = "\n";
  }
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
