import { type ErrorCode, PalimpsestError } from "../../core/base/index.js";

/** By SQLSTATE, or the first characters of one; the longest that fits counts. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  "08": "STORE_UNREADABLE", // connection
  "25006": "STORE_READONLY", // a standby, or a read-only session
  "28": "STORE_UNREADABLE", // user or password
  "3D000": "STORE_UNREADABLE", // no such database
  "3F000": "DAMAGED", // our schema is gone
  "40": "STORE_BUSY", // serialization failures, deadlocks
  "42501": "STORE_READONLY", // privileges
  "42": "DAMAGED", // tables and functions are not as we made them
  "53100": "STORE_FULL",
  "53300": "STORE_BUSY", // too many connections
  "53": "STORE_IO",
  "54": "INVALID_VALUE", // too big
  "55P03": "STORE_BUSY", // the lock was not to be had in time
  "57014": "STORE_BUSY", // cancelled, by a time limit for instance
  "57": "STORE_UNREADABLE", // shutting down, starting up
  "58": "STORE_IO",
  XX001: "DAMAGED",
  XX002: "DAMAGED",
};

const WHAT: Partial<Record<ErrorCode, readonly [what: string, hint: string]>> = {
  STORE_UNREADABLE: [
    "The server of the store cannot be reached",
    "Check that it runs, and host, port, database, user and password.",
  ],
  STORE_BUSY: ["The store is in use by others", "Others kept the store locked for too long. Try again."],
  STORE_IO: ["The server of the store failed", "Nothing was acknowledged. Look into the server's log."],
  STORE_READONLY: [
    "The store cannot be written",
    "Give this role the privileges listed in docs/postgres.md, and connect to the primary server.",
  ],
  STORE_FULL: ["The disk of the server is full", "Free some space there; nothing was written."],
  DAMAGED: [
    "The tables of the store are not as they were made",
    "Look into the database; restore it from a backup.",
  ],
  INVALID_VALUE: ["This is too big for the server", "Write it in smaller parts."],
};

interface ServerError extends Error {
  readonly code?: string;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as ServerError).code : undefined;

const isSqlState = (code: string | undefined): code is string =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);

const NETWORK = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOENT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "EADDRNOTAVAIL"],
]);

/** The connection went, or could not be made; what was under way may have arrived or not. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof PalimpsestError) return false;
  const code = codeOf(error);
  if (isSqlState(code)) return code.startsWith("08") || /^57P0[1235]$/.test(code);
  if (code !== undefined && NETWORK.has(code)) return true;
  // The driver's own words have no code.
  return /connection (terminated|ended|error)|timeout.{0,200}connect|not queryable/i.test(error.message);
}

/** Certificates, passwords that are missing, a server without TLS: told by Node and the driver in many codes or none. */
const isTurnedAway = (error: Error): boolean =>
  /CERT|TLS|SSL|EPROTO|UNABLE_TO/.test(codeOf(error) ?? "") || /\bSSL\b|\bSASL\b/.test(error.message);

/** It did not happen, and may well if it is asked again. */
export const isRefusedForNow = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === "40001" || code === "40P01" || code === "53300";
};

/** A typed error with the cause kept; what is not an error of the server (a bug, say) passes unchanged. */
export function storageError(error: unknown, location: string): unknown {
  if (error instanceof PalimpsestError || !(error instanceof Error)) return error;
  const state = codeOf(error);
  const code = isSqlState(state)
    ? ((CODES[state] ?? CODES[state.slice(0, 2)] ?? "STORE_IO") as ErrorCode)
    : isLost(error) || isTurnedAway(error)
      ? "STORE_UNREADABLE"
      : undefined;
  if (code === undefined) return error;
  const [what, hint] = WHAT[code]!;
  return new PalimpsestError(code, `${what}: ${location} (${error.message}).`, { cause: error, hint });
}
