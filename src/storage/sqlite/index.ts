export { assertNoLog } from "./handle.js";
export { type Salvage, salvageStore } from "./salvage.js";
export { type SqliteOptions, sqliteStorage } from "./sqlite-storage.js";
