import type { Hash } from "../core/base/index.js";
import type { LedgerEvent } from "../core/ledger/index.js";
import { isNeed, lookupMany, type NodeSource } from "../core/merkle/index.js";

/** Something is there afterwards unless it was forgotten; what is added was not there before. */
export function fitsOp({ op, before, after }: LedgerEvent): boolean {
  if (op === "forget") return before !== undefined && after === undefined;
  if (op === "observe") return after !== undefined;
  return after !== undefined && (before === undefined) === (op === "add");
}

/** The events that do not replace what the state, with the events before them applied, holds under their key. */
export function unfoundedEvents(
  root: Hash,
  events: readonly LedgerEvent[],
  source: NodeSource,
): LedgerEvent[] | undefined {
  const state = valuesAt(root, events, source);
  if (!state) return undefined;
  return events.filter(({ scope, id, before, after }) => {
    const values = state.get(scope) as Map<Hash, Hash | undefined>;
    const held = values.get(id);
    values.set(id, after);
    return held !== before;
  });
}

/** What the state holds under the keys of the events, by scope and id. */
function valuesAt(
  root: Hash,
  events: readonly LedgerEvent[],
  source: NodeSource,
): Map<Hash, Map<Hash, Hash | undefined>> | undefined {
  const wanted = new Map<Hash, Set<Hash>>();
  for (const { scope, id } of events) {
    const ids = wanted.get(scope);
    if (ids) ids.add(id);
    else wanted.set(scope, new Set([id]));
  }
  const scopes = lookupMany(root, [...wanted.keys()], source);
  if (isNeed(scopes)) return undefined;
  const state = new Map<Hash, Map<Hash, Hash | undefined>>();
  for (const [scope, ids] of wanted) {
    const inner = scopes.values.get(scope);
    const found = inner === undefined ? { values: new Map() } : lookupMany(inner, [...ids], source);
    if (isNeed(found)) return undefined;
    state.set(scope, found.values);
  }
  return state;
}
