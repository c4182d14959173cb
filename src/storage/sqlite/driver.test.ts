import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFixedSqlite, loadPrebuilt, pickDriver, systemDriver } from "./driver.js";
import { networkWarnings } from "./files.js";

describe("what the SQLite store stands on (B20b)", () => {
  const moduleOf = (version: string) => ({
    DatabaseSync: class {
      exec() {}
      prepare() {
        return { get: () => ({ version }), all: () => [], run: () => ({ changes: 0 }) };
      }
      close() {}
    },
  });

  it("S60 a SQLite that can lose committed data is not used", () => {
    const fixed = ["3.51.3", "3.52.0", "3.53.4", "3.50.7", "3.44.6", "4.0.0"];
    const broken = ["3.51.2", "3.50.6", "3.49.2", "3.45.1", "3.44.5", "3.7.0", "2.8.17"];
    expect(fixed.filter(isFixedSqlite)).toEqual(fixed);
    expect(broken.filter(isFixedSqlite)).toEqual([]);
  });

  it("S61 node:sqlite is preferred when it is good, else the installed one, else STORE_UNREADABLE", async () => {
    const pick = (builtin: string | undefined, installed: string | undefined) =>
      pickDriver({
        builtinVersion: builtin,
        builtin: () => (builtin ? moduleOf(builtin) : undefined),
        installed: async () => {
          if (!installed) throw new Error("Cannot find package");
          return moduleOf(installed);
        },
      }).then(
        ({ name }) => name,
        (error: { code: string }) => error.code,
      );
    expect(await pick("3.53.4", "3.53.0")).toBe("node:sqlite");
    expect(await pick("3.51.2", "3.53.0")).toBe("@photostructure/sqlite");
    expect(await pick(undefined, "3.53.0")).toBe("@photostructure/sqlite");
    expect(await pick("3.51.2", undefined)).toBe("STORE_UNREADABLE");
    expect(await pick(undefined, "3.50.1")).toBe("STORE_UNREADABLE");
    expect(await systemDriver()).toBe(await systemDriver());
  });

  it("S95 the binary that comes along is used, unless one was built or none fits", () => {
    const home = dirname(dirname(createRequire(import.meta.url).resolve("@photostructure/sqlite")));
    const { DatabaseSync } = loadPrebuilt(home) ?? {};
    const db = new DatabaseSync!(":memory:", { timeout: 0 });
    expect(db.prepare("SELECT 1 + 1 AS two").get()).toEqual({ two: 2 });
    db.close();
    const other = mkdtempSync(join(tmpdir(), "palimpsest-"));
    try {
      expect(loadPrebuilt(other)).toBeUndefined();
      symlinkSync(join(home, "prebuilds"), join(other, "prebuilds"));
      expect(loadPrebuilt(other)).toBeDefined();
      mkdirSync(join(other, "build"));
      expect(loadPrebuilt(other)).toBeUndefined();
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it("S62 a store on a network file system carries a warning", () => {
    const on = (type: number) => networkWarnings("/mnt/x", () => type);
    for (const type of [0x6969, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x0bd00bd0])
      expect(on(type)).toHaveLength(1);
    expect(on(0xef53)).toEqual([]);
    expect(on(0xff534d42 | 0)).toHaveLength(1);
    const missing = (path: string) => {
      if (path !== "/") throw new Error("ENOENT");
      return 0x6969;
    };
    expect(networkWarnings("/not/there/yet", missing)[0]).toContain("NFS");
    expect(networkWarnings("/tmp")).toEqual([]);
  });
});
