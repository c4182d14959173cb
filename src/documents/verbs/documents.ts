import { type MemoryId, PalimpsestError, quote } from "../../core/base/index.js";
import type { MemoryRecord } from "../../core/ledger/index.js";
import { type ScopeTree, scopeTree } from "../../memories/index.js";
import { type At, findKey, headLookup } from "../../repo/index.js";
import { LinkGraph, type NoteLink } from "../links.js";
import type { SourceOptions } from "../options.js";
import { formatOf } from "../parse.js";
import { renderTree } from "../render.js";

export interface Links {
  /** Links that stand in this note or, if `from` says so, in a part of it, with the notes they lead to. */
  readonly outgoing: readonly (NoteLink & { readonly from?: MemoryId })[];
  /** Notes elsewhere that link here, or to a part of it. */
  readonly incoming: readonly { readonly id: MemoryId; readonly target: string }[];
}

/** Relations of a note and of all that lies below it, in both directions, among what the session sees of its scope. */
export async function links(at: At, id: string, scope: string | undefined): Promise<Links> {
  const { record, tree } = await treeOf(at, id, scope);
  const graph = new LinkGraph(tree.all());
  const parts = tree.below(record.id);
  return {
    outgoing: parts.flatMap((part) =>
      graph.outgoing(part).map((link) => ({ ...link, ...(part !== record && { from: part.id }) })),
    ),
    incoming: graph.incoming(new Set(parts.map((part) => part.id))),
  };
}

/** A document, or a part of one, as the file it came from: the same bytes when nothing has changed since. */
export async function sourceOf(at: At, id: string, { scope, format }: SourceOptions): Promise<string> {
  const { record, tree } = await treeOf(at, id, scope);
  return renderTree(tree.below(record.id), format ?? formatOf(pathAbove(tree, record)) ?? "org");
}

function pathAbove(tree: ScopeTree, record: MemoryRecord): string {
  const seen = new Set<MemoryId>();
  let at: MemoryRecord | undefined = record;
  while (at && at.type !== "document" && !seen.has(at.id)) {
    seen.add(at.id);
    at = at.parent === undefined ? undefined : tree.get(at.parent);
  }
  return typeof at?.attributes?.path === "string" ? at.attributes.path : "";
}

async function treeOf({ context, reader, tip, now }: At, id: string, scope: string | undefined) {
  const key = await findKey(context, headLookup(reader, tip), id, scope);
  const tree = key && (await scopeTree(context, key.scope, tip, now));
  const record = key && tree?.get(key.id);
  if (!record || !tree) throw new PalimpsestError("NOT_FOUND", `There is no memory ${quote(id)}.`);
  return { record, tree };
}
