import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PalimpsestError } from "../../core/base/index.js";

/** The part of the `node:sqlite` API that is used here; `@photostructure/sqlite` offers the same. */
export type SqlValue = null | number | string | Uint8Array;

export interface Statement<Row> {
  run(...params: SqlValue[]): { readonly changes: number | bigint };
  get(...params: SqlValue[]): Row | undefined;
  all(...params: SqlValue[]): Row[];
}

/** Prepared statements by their text. */
export interface Queries {
  sql<Row = never>(text: string): Statement<Row>;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement<unknown>;
  close(): void;
}

export interface Driver {
  readonly name: string;
  /** Of SQLite itself. */
  readonly version: string;
  /** `mode` rw never creates a file. */
  open(url: string, options: { readonly timeout: number }): Database;
}

interface SqliteModule {
  readonly DatabaseSync: new (location: string, options: { readonly timeout: number }) => Database;
}

/** Where the two implementations come from; tests give their own. */
export interface DriverSources {
  builtin(): SqliteModule | undefined;
  readonly builtinVersion: string | undefined;
  installed(): Promise<SqliteModule>;
}

/**
 * SQLite 3.7.0 to 3.51.2 can lose committed data when two processes write and checkpoint at once ("WAL-reset
 * bug"), and many processes on one store is our normal case. Fixed in 3.51.3 and in two backports.
 */
export function isFixedSqlite(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (major !== 3) return major > 3;
  if (minor === 51) return patch >= 3;
  if (minor === 50) return patch >= 7;
  if (minor === 44) return patch >= 6;
  return minor > 51;
}

export async function pickDriver(sources: DriverSources): Promise<Driver> {
  const { builtinVersion } = sources;
  if (builtinVersion !== undefined && isFixedSqlite(builtinVersion)) {
    const builtin = sources.builtin();
    if (builtin) return driverOf("node:sqlite", builtinVersion, builtin);
  }
  let installed: SqliteModule;
  try {
    installed = await sources.installed();
  } catch (cause) {
    throw new PalimpsestError("STORE_UNREADABLE", "No usable SQLite was found.", {
      hint: "Install the optional parts of the package again, or use a Node.js with SQLite 3.51.3 or later.",
      cause,
    });
  }
  const version = versionOf(installed);
  if (!isFixedSqlite(version))
    throw new PalimpsestError(
      "STORE_UNREADABLE",
      `SQLite ${version} can lose committed data and is not used.`,
      {
        hint: "Update @photostructure/sqlite or Node.js to one with SQLite 3.51.3 or later.",
      },
    );
  return driverOf("@photostructure/sqlite", version, installed);
}

const driverOf = (name: string, version: string, { DatabaseSync }: SqliteModule): Driver => ({
  name,
  version,
  open: (url, options) => new DatabaseSync(url, options),
});

function versionOf({ DatabaseSync }: SqliteModule): string {
  const db = new DatabaseSync(":memory:", { timeout: 0 });
  try {
    return (db.prepare("SELECT sqlite_version() AS version").get() as { version: string }).version;
  } finally {
    db.close();
  }
}

/** `getBuiltinModule` is synchronous, so the warning is silenced for no longer than the one call. */
function loadBuiltin(): SqliteModule | undefined {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    const type = typeof rest[0] === "object" ? (rest[0] as { type?: string } | null)?.type : rest[0];
    if (type === "ExperimentalWarning" && String(warning).includes("SQLite")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule?.("node:sqlite") as SqliteModule | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

const PACKAGE = "@photostructure/sqlite";

function loadInstalled(): SqliteModule {
  const require = createRequire(import.meta.url);
  return loadPrebuilt(dirname(dirname(require.resolve(PACKAGE)))) ?? require(PACKAGE);
}

/**
 * The package looks for its binary among those for other systems, and wraps it in more than is used here. The one that
 * comes along is loaded at once instead, which saves each start 5 ms.
 */
export function loadPrebuilt(home: string): SqliteModule | undefined {
  // It was built on purpose, so it is wanted.
  if (existsSync(join(home, "build"))) return undefined;
  const libc = existsSync("/etc/alpine-release") ? "musl" : "glibc";
  const binary = `${PACKAGE.replace("/", "+")}.${libc}.node`;
  const loaded: { exports: Partial<SqliteModule> } = { exports: {} };
  try {
    process.dlopen(loaded, join(home, "prebuilds", `${process.platform}-${process.arch}`, binary));
  } catch {
    // The package says what is wrong, or knows another way.
  }
  const { DatabaseSync } = loaded.exports;
  return DatabaseSync && { DatabaseSync };
}

const systemSources: DriverSources = {
  builtin: loadBuiltin,
  builtinVersion: process.versions.sqlite,
  installed: async () => loadInstalled(),
};

/**
 * One SQLite library per process: two copies would drop each other's POSIX locks on the same file.
 */
let chosen: Promise<Driver> | undefined;
export function systemDriver(): Promise<Driver> {
  chosen ??= pickDriver(systemSources).catch((error: unknown) => {
    chosen = undefined;
    throw error;
  });
  return chosen;
}
