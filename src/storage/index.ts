/** storage: where bytes live. The port, and the adapters that come with it. */

export {
  Destination,
  type DestinationOptions,
} from "./destination.js";
export { acquireLease, type Lease, leaseState } from "./lease.js";
export { makeDirectory } from "./make-directory.js";
export { memoryStorage } from "./memory/index.js";
export { blobInRam, headOfPlain, openPlain, openPlainSync, readPlain, readPlainSync } from "./plain-file.js";
export {
  type Beyond,
  type Blobs,
  beginNodeAge,
  type Diagnosis,
  type Erasure,
  firstHead,
  type Guard,
  lostHead,
  type Note,
  nodeAge,
  type ObjectKind,
  type OpenBlob,
  type Ref,
  type RefMove,
  type ScannedObject,
  type ScanOptions,
  type SeqRange,
  type Storage,
  type StorageProblem,
  type StoredObject,
  type StoredVectors,
  type StoreSize,
  type StoreVersion,
  type TouchedBy,
  type Transaction,
  type TransactResult,
} from "./port.js";
export { isPostgresUrl, type PostgresOptions, postgresStorage } from "./postgres/index.js";
export {
  copyNames,
  keepCopy,
  NewFile,
  nameFile,
  type PutOptions,
  removeEmptyFolder,
  removeFile,
} from "./put-file.js";
export { sweepScratchFolders, withScratchFolder } from "./scratch-folder.js";
export {
  assertNoLog,
  type Salvage,
  type SqliteOptions,
  salvageStore,
  sqliteStorage,
} from "./sqlite/index.js";
export { damagedRows, packTouch, unpackTouch } from "./touch-codec.js";
