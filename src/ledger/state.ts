import type { Hash } from "../base/index.js";
import {
  applyChanges,
  childrenOf,
  diffTries,
  EMPTY_ROOT,
  isNeed,
  listEntries,
  lookup,
  lookupMany,
  type Need,
  type NodeSource,
  nodesBeyond,
  provePath,
  reachable,
} from "../merkle/index.js";
import type { LedgerEvent } from "./types.js";

/**
 * The state of a commit: a trie of scopes, each a trie of its ids. Every function answers `Need` when a node
 * is not at hand; the caller fetches it and asks again.
 */
export interface StateChange {
  readonly scope: Hash;
  readonly id: Hash;
  readonly before?: Hash;
  readonly after?: Hash;
}

export function scopeRoot(root: Hash, scope: Hash, source: NodeSource): { root: Hash } | Need {
  const found = lookup(root, scope, source);
  return isNeed(found) ? found : { root: found.value ?? EMPTY_ROOT };
}

export function stateLookup(
  root: Hash,
  scope: Hash,
  id: Hash,
  source: NodeSource,
): { record: Hash | undefined } | Need {
  const inner = lookup(root, scope, source);
  if (isNeed(inner)) return inner;
  if (inner.value === undefined) return { record: undefined };
  const found = lookup(inner.value, id, source);
  return isNeed(found) ? found : { record: found.value };
}

/** The state after the events: the only way a root is made. Later events of one key win. */
export function foldEvents(
  root: Hash,
  events: readonly LedgerEvent[],
  source: NodeSource,
): { root: Hash; nodes: Map<Hash, Uint8Array> } | Need {
  const byScope = new Map<Hash, Map<Hash, Hash | null>>();
  for (const event of events) {
    const ids = byScope.get(event.scope) ?? new Map<Hash, Hash | null>();
    byScope.set(event.scope, ids.set(event.id, event.after ?? null));
  }
  const scopes = lookupMany(root, [...byScope.keys()], source);
  if (isNeed(scopes)) return scopes;
  const need: Hash[] = [];
  const nodes = new Map<Hash, Uint8Array>();
  const moved = new Map<Hash, Hash | null>();
  for (const [scope, ids] of byScope) {
    const applied = applyChanges(scopes.values.get(scope) ?? EMPTY_ROOT, ids, source, nodes);
    if (isNeed(applied)) need.push(...applied.need);
    else moved.set(scope, applied.root === EMPTY_ROOT ? null : applied.root);
  }
  if (need.length > 0) return { need };
  return applyChanges(root, moved, source, nodes);
}

/** What differs between two states, in time proportional to the difference. */
export function stateDiff(a: Hash, b: Hash, source: NodeSource): { changes: StateChange[] } | Need {
  const scopes = diffTries(a, b, source);
  if (isNeed(scopes)) return scopes;
  const need: Hash[] = [];
  const changes: StateChange[] = [];
  for (const { key, before, after } of scopes.changes) {
    const inner = diffTries(before ?? EMPTY_ROOT, after ?? EMPTY_ROOT, source);
    if (isNeed(inner)) need.push(...inner.need);
    else
      for (const { key: id, before: from, after: to } of inner.changes)
        changes.push({
          scope: key,
          id,
          ...(from !== undefined && { before: from }),
          ...(to !== undefined && { after: to }),
        });
  }
  return need.length > 0 ? { need } : { changes };
}

/** The nodes of a state that another lacks: what has to be stored beside that one. */
export function stateNodesBeyond(
  base: Hash,
  root: Hash,
  source: NodeSource,
): { nodes: Map<Hash, Uint8Array> } | Need {
  const scopes = diffTries(base, root, source);
  if (isNeed(scopes)) return scopes;
  const tries = scopes.changes.map(
    ({ before, after }) => [before ?? EMPTY_ROOT, after ?? EMPTY_ROOT] as const,
  );
  const need: Hash[] = [];
  const nodes = new Map<Hash, Uint8Array>();
  for (const [from, to] of [[base, root] as const, ...tries]) {
    const beyond = nodesBeyond(from, to, source);
    if (isNeed(beyond)) need.push(...beyond.need);
    else for (const [hash, bytes] of beyond.nodes) nodes.set(hash, bytes);
  }
  return need.length > 0 ? { need } : { nodes };
}

/** Every node of the given states that lies within a set: the tries of scopes and of the ids in them. */
export function stateNodes(
  roots: readonly Hash[],
  source: NodeSource,
  within: (hash: Hash) => boolean,
): { nodes: Set<Hash> } | Need {
  const outer = reachable(roots, source, within);
  if (isNeed(outer)) return outer;
  const scopeRoots: Hash[] = [];
  for (const hash of outer.nodes) {
    const bytes = source(hash);
    if (!bytes || childrenOf(bytes).length > 0) continue;
    const bucket = listEntries(hash, source);
    if (isNeed(bucket)) return bucket;
    for (const [, scopeRoot] of bucket.entries) scopeRoots.push(scopeRoot);
  }
  const inner = reachable(scopeRoots, source, within);
  return isNeed(inner) ? inner : { nodes: new Set([...outer.nodes, ...inner.nodes]) };
}

/** Every (id, record) of one scope, by id hash. */
export function scopeEntries(
  root: Hash,
  scope: Hash,
  source: NodeSource,
): { entries: [id: Hash, record: Hash][] } | Need {
  const inner = lookup(root, scope, source);
  if (isNeed(inner)) return inner;
  return inner.value === undefined ? { entries: [] } : listEntries(inner.value, source);
}

/** The path that proves a memory present in, or absent from, its scope, and the scope's own path in the state. */
export function stateProof(
  root: Hash,
  scope: Hash,
  id: Hash,
  source: NodeSource,
): { scopeRoot: Hash; path: Uint8Array[]; statePath: Uint8Array[] } | Need {
  const outer = provePath(root, scope, source);
  if (isNeed(outer)) return outer;
  const inner = scopeRoot(root, scope, source);
  if (isNeed(inner)) return inner;
  const path = provePath(inner.root, id, source);
  if (isNeed(path)) return path;
  return { scopeRoot: inner.root, path: path.path, statePath: outer.path };
}
