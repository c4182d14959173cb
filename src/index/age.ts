import type { MemoryId, Scope } from "../core/base/index.js";
import { byCodeUnit } from "../core/ledger/index.js";

/** Memories of which is known which are older. */
export interface Aged {
  /** Do the numbers of two memories tell which is older? */
  isInOrder(a: number, b: number): boolean;
  createdOf(doc: number): number;
  scopeOf(doc: number): Scope;
  idOf(doc: number): MemoryId;
}

/** The order of lists: by creation, then scope, then id. It never depends on how a view came about. */
export const byAge =
  (view: Aged) =>
  (a: number, b: number): number =>
    view.isInOrder(a, b)
      ? a - b
      : view.createdOf(a) - view.createdOf(b) ||
        byCodeUnit(view.scopeOf(a), view.scopeOf(b)) ||
        byCodeUnit(view.idOf(a), view.idOf(b));
