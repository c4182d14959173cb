import type { Scope } from "../core/base/index.js";
import { byCodeUnit, type Sensitivity } from "../core/ledger/index.js";

/** Memories of one scope and one sensitivity: a session sees all of them or none. */
export interface Partition {
  readonly scope: Scope;
  readonly sensitivity: Sensitivity;
  /** Live memories, and the sum of their lengths. */
  count: number;
  length: number;
}

export const samePartition = (
  a: Pick<Partition, "scope" | "sensitivity">,
  b: Pick<Partition, "scope" | "sensitivity">,
): boolean => a.scope === b.scope && a.sensitivity === b.sensitivity;

export const byPartition = (
  a: Pick<Partition, "scope" | "sensitivity">,
  b: Pick<Partition, "scope" | "sensitivity">,
): number => byCodeUnit(a.scope, b.scope) || byCodeUnit(a.sensitivity, b.sensitivity);
