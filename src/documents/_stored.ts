import type { MemoryId, Scope } from "../core/base/names.js";
import { canonicalRecord } from "../core/ledger/record.js";
import type { MemoryRecord } from "../core/ledger/types.js";
import { type DocNode, preorder } from "./ast.js";
import { idsOf, planTree } from "./match.js";

/** A tree as it is stored when it is new, parents first. */
export async function stored(tree: DocNode): Promise<MemoryRecord[]> {
  const list = preorder(tree);
  const { steps } = planTree(list, await idsOf(list, "root" as MemoryId, []), {
    parent: undefined,
    stored: [],
    lookup: () => undefined,
    isOurs: () => true,
  });
  return steps.map(({ id, node, parent, position }) =>
    canonicalRecord({
      scope: "shared" as Scope,
      id,
      type: node.type,
      text: node.text,
      attributes: node.attributes,
      tags: node.tags,
      ...(parent !== undefined && { parent }),
      ...(position !== undefined && { position }),
      origin: { source: "ingest", channel: "test", trust: "external" },
    }),
  );
}
