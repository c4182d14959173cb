import type { MemoryId, Scope } from "../../core/base/index.js";
import type { MemoryRecord, Tip } from "../../core/ledger/index.js";

/** A place where a memory may live. */
export interface Key {
  readonly scope: Scope;
  readonly id: MemoryId;
}

/** What lookups ask of the state they look in: a committed head or a draft on top of one. */
export interface Lookup {
  readonly tip: Tip;
  record(scope: Scope, id: MemoryId): Promise<MemoryRecord | undefined>;
  holder(scope: Scope, topic: string): Promise<MemoryRecord | undefined>;
  /** Was something of this id here before, also where only what is not stored yet tells? */
  was?(scope: Scope, id: MemoryId): Promise<boolean>;
}
