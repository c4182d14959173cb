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
  type Making,
  type Need,
  type NodeSource,
  nothingMade,
  provePath,
  reachable,
  setOne,
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

/**
 * The state after the events: the only way a root is made. Later events of one key win. `nodes` are those it made,
 * `gone` those of the state before that they replace.
 */
export function foldEvents(
  root: Hash,
  events: readonly LedgerEvent[],
  source: NodeSource,
): (Making & { root: Hash }) | Need {
  if (events.length === 1 && events[0]?.after !== undefined) return foldOne(root, events[0], source);
  const byScope = new Map<Hash, Map<Hash, Hash | null>>();
  for (const event of events) {
    const ids = byScope.get(event.scope) ?? new Map<Hash, Hash | null>();
    byScope.set(event.scope, ids.set(event.id, event.after ?? null));
  }
  const scopes = lookupMany(root, [...byScope.keys()], source);
  if (isNeed(scopes)) return scopes;
  const need: Hash[] = [];
  const made = nothingMade();
  const moved = new Map<Hash, Hash | null>();
  for (const [scope, ids] of byScope) {
    const applied = applyChanges(scopes.values.get(scope) ?? EMPTY_ROOT, ids, source, made);
    if (isNeed(applied)) need.push(...applied.need);
    else moved.set(scope, applied.root === EMPTY_ROOT ? null : applied.root);
  }
  if (need.length > 0) return { need };
  return applyChanges(root, moved, source, made);
}

/** One memory is written: what nearly every commit is. */
function foldOne(root: Hash, event: LedgerEvent, source: NodeSource): (Making & { root: Hash }) | Need {
  const outer = lookup(root, event.scope, source);
  if (isNeed(outer)) return outer;
  const inner = setOne(outer.value ?? EMPTY_ROOT, event.id, event.after as Hash, source);
  if (isNeed(inner)) return inner;
  if (inner.root === outer.value) return { ...inner, root };
  return setOne(root, event.scope, inner.root, source, inner);
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
