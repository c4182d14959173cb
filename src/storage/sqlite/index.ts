export { type SqliteOptions, sqliteStorage } from "./sqlite-storage.js";
