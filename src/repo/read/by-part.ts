import type { MemoryId, Scope } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { byIdPart, Scene } from "../../index/index.js";
import type { Context } from "../context.js";
import { byOrder } from "../sight.js";

/** The memories seen at a commit whose id begins or ends like this, each id in the first of the session's scopes. */
export function keysByPart(
  { views, branch, sight }: Context,
  tip: Tip,
  part: string,
  only: Scope | undefined,
): Promise<Map<string, { readonly scope: Scope; readonly id: MemoryId }>> {
  return views.use(branch, tip, (view) => {
    // What has expired is for the caller to say: an id may still be the one that is meant.
    const scene = new Scene(view, sight, Number.NEGATIVE_INFINITY, only);
    const keys = byIdPart(scene, part)
      .map(({ doc, id }) => ({ scope: view.scopeOf(doc), id }))
      .sort((a, b) => byOrder(a.scope, b.scope));
    return new Map(keys.toReversed().map((key) => [key.id, key]));
  });
}
