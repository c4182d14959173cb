/** storage: where bytes live. The port, and the two adapters that come with it. */
export { memoryStorage } from "./memory/index.js";
export type {
  ObjectKind,
  Ref,
  RefMove,
  SeqRange,
  Storage,
  StorageProblem,
  StoredObject,
  StoredVectors,
  StoreVersion,
  Transaction,
  TransactResult,
} from "./port.js";
export { type SqliteOptions, sqliteStorage } from "./sqlite/index.js";
