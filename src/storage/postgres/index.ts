export { type PostgresOptions, postgresStorage } from "./postgres-storage.js";
export { isPostgresUrl } from "./url.js";
