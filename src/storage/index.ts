/** storage: where bytes live. The port, and the adapters that come with it. */
export { blobInRam } from "./blob-in-ram.js";
export { Destination, type DestinationOptions } from "./destination.js";
export { acquireLease, type Lease, leaseState } from "./lease.js";
export { firstHead, lostHead } from "./lost-head.js";
export { makeDirectory } from "./make-directory.js";
export { memoryStorage } from "./memory/index.js";
export { beginNodeAge, nodeAge } from "./node-age.js";
export { headOfPlain, openPlain, openPlainSync, readPlain, readPlainSync } from "./plain-file.js";
export type {
  Beyond,
  Blobs,
  Diagnosis,
  Erasure,
  Guard,
  Note,
  ObjectKind,
  OpenBlob,
  Ref,
  RefMove,
  ScannedObject,
  ScanOptions,
  SeqRange,
  Storage,
  StorageProblem,
  StoredObject,
  StoredVectors,
  StoreSize,
  StoreVersion,
  TouchedBy,
  Transaction,
  TransactResult,
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
