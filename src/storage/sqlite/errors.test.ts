import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../core/base/errors.js";
import { isBusy, isDamage, storageError } from "./errors.js";

describe("errors of the SQLite store", () => {
  const sqlite = (message: string, errcode?: number) =>
    Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR" }, errcode === undefined ? {} : { errcode });
  const codeOf = (error: unknown) => (storageError(error, "/store") as { code?: string }).code;

  it("S57 every failure of the medium gets its code and keeps its cause, with or without SQLite's number", () => {
    const failures: [string, number, string][] = [
      ["database is locked", 5, "STORE_BUSY"],
      ["attempt to write a readonly database", 8, "STORE_READONLY"],
      ["disk I/O error", 10 | (4 << 8), "STORE_IO"],
      ["database disk image is malformed", 11, "DAMAGED"],
      ["database or disk is full", 13, "STORE_FULL"],
      ["unable to open database file", 14, "STORE_UNREADABLE"],
      ["file is not a database", 26, "DAMAGED"],
      ["no such table: journal", 1, "DAMAGED"],
    ];
    for (const [message, number, code] of failures) {
      for (const error of [sqlite(message, number), sqlite(message)]) {
        expect(storageError(error, "/store")).toBeInstanceOf(PalimpsestError);
        expect(storageError(error, "/store")).toMatchObject({ code, cause: error });
        expect(isBusy(error)).toBe(code === "STORE_BUSY");
      }
    }
    expect(isDamage(sqlite("database disk image is malformed"))).toBe(true);
    expect(codeOf(Object.assign(new Error("no space"), { code: "ENOSPC" }))).toBe("STORE_FULL");
    expect(codeOf(Object.assign(new Error("denied"), { code: "EACCES" }))).toBe("STORE_READONLY");
    expect(codeOf(Object.assign(new Error("a file"), { code: "ENOTDIR" }))).toBe("STORE_UNREADABLE");
    const bug = new TypeError("a bug is not an error of the medium");
    expect(storageError(bug, "/store")).toBe(bug);
  });
});
