/** storage: where bytes live. The port, and the two adapters that come with it. */
export type {
  ObjectKind,
  Ref,
  RefMove,
  Storage,
  StorageProblem,
  StoredObject,
  StoreVersion,
  TransactResult,
  Transaction,
} from "./port.js";
