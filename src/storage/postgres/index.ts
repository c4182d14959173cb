export { type PostgresOptions, postgresStorage } from "./postgres-storage.js";
export { isPostgresUrl } from "./server.js";
