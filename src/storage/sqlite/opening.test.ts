import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { batch, hashOf, object, transaction } from "../contract/data.js";
import { codeOf, problemsOf, testStore } from "./_store.js";
import { openConnection } from "./connection.js";
import { systemDriver } from "./driver.js";
import { sqliteStorage } from "./index.js";
import { SCHEMA_VERSION } from "./schema.js";

const one = transaction({ put: [object("memory", "one")] });

describe("opening a SQLite store", () => {
  it("S40 reads, and writes that cannot be the first, create nothing; the directory and the file are private", async () => {
    const { directory } = await testStore();
    const below = join(directory, "deep", "store");
    const storage = sqliteStorage(below);
    await storage.get(hashOf("x"));
    await storage.tend();
    const expects = { name: "heads/main", expect: hashOf("x"), next: null };
    expect(await storage.transact(transaction({ refs: [expects] }))).toBe("stale");
    expect(await storage.transact({ ...one, epoch: 3 })).toBe("stale");
    await sqliteStorage(below).close();
    expect(await readdir(directory)).toEqual([]);
    await storage.transact(one);
    expect((await stat(below)).mode & 0o777).toBe(0o700);
    expect((await stat(join(below, "palimpsest.db"))).mode & 0o777).toBe(0o600);
    await storage.close();
  });

  it("S41 commits are durable: WAL with synchronous = FULL, asked of SQLite itself", async () => {
    const { open, file } = await testStore();
    await open().transact(one);
    const connection = openConnection(await systemDriver(), file, {});
    expect(connection.sql("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
    expect(connection.sql("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(connection.sql("PRAGMA user_version").get()).toEqual({ user_version: SCHEMA_VERSION });
    connection.close({ fold: false });
  });

  it("S42 another program's database is NOT_A_STORE, and stays as it is", async () => {
    const { open, sql, file } = await testStore();
    await sql((db) => db.exec("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)"));
    const before = await readFile(file);
    const storage = open();
    expect(await codeOf(storage.get(hashOf("x")))).toBe("NOT_A_STORE");
    expect(await codeOf(storage.transact(one))).toBe("NOT_A_STORE");
    expect(await readFile(file)).toEqual(before);
  });

  it("S43 a store of a newer program is STORE_NEWER, and stays as it is", async () => {
    const { open, sql, file } = await testStore();
    const first = open();
    await first.transact(one);
    await first.close();
    await sql((db) => db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`));
    const before = await readFile(file);
    const storage = open();
    expect(await codeOf(storage.version())).toBe("STORE_NEWER");
    expect(await codeOf(storage.transact(one))).toBe("STORE_NEWER");
    await storage.close();
    expect(await readFile(file)).toEqual(before);
  });

  it("S44 an empty, cut or foreign file under our name is DAMAGED and never written over", async () => {
    const { open, file } = await testStore();
    await writeFile(file, "");
    expect(await codeOf(open().get(hashOf("x")))).toBe("DAMAGED");
    expect(await codeOf(open().transact(one))).toBe("DAMAGED");
    expect(await problemsOf(open())).toMatchObject([{ problem: "file-damaged", severity: "error" }]);
    expect((await stat(file)).size).toBe(0);
    const text = "no database at all ".repeat(500);
    await writeFile(file, text);
    expect(await codeOf(open().transact(one))).toBe("DAMAGED");
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("S45 a file that was cut short is DAMAGED where bytes are missing", async () => {
    const { open, file } = await testStore();
    const first = open();
    const put = batch("memory", 3000);
    await first.transact(transaction({ put }));
    await first.close();
    await truncate(file, 16 * 4096);
    const storage = open();
    const codes = new Set(await Promise.all(put.slice(0, 200).map(({ hash }) => codeOf(storage.get(hash)))));
    codes.add(await codeOf(storage.transact(one)));
    expect(codes).toContain("DAMAGED");
    expect([...codes].filter((code) => code !== "DAMAGED" && code !== "no error")).toEqual([]);
    expect((await problemsOf(storage)).length).toBeGreaterThan(0);
  });

  it.skipIf(process.platform === "win32")(
    "S790 a pipe, a link or a folder in the place of a file beside the store is STORE_UNREADABLE, and untouched",
    async () => {
      for (const name of ["-wal", "-shm", "-journal"])
        for (const kind of ["pipe", "link", "folder"]) {
          const directory = mkdtempSync(join(tmpdir(), "pal-beside-"));
          const theirs = join(directory, "theirs");
          writeFileSync(theirs, "");
          const storage = sqliteStorage(directory);
          await storage.transact(one);
          await storage.close();
          const beside = join(directory, `palimpsest.db${name}`);
          rmSync(beside, { force: true });
          if (kind === "pipe") execFileSync("mkfifo", [beside]);
          else if (kind === "link") symlinkSync(theirs, beside);
          else mkdirSync(beside);
          const again = sqliteStorage(directory);
          expect([name, kind, await codeOf(again.missing([hashOf("x")]))]).toEqual([
            name,
            kind,
            "STORE_UNREADABLE",
          ]);
          expect(readFileSync(theirs, "utf8")).toBe("");
          await again.close();
          rmSync(directory, { recursive: true, force: true });
        }
    },
  );

  it("S46 what cannot be opened is STORE_UNREADABLE, and says why", async () => {
    const { directory, file, open } = await testStore();
    await writeFile(join(directory, "plain"), "a file");
    const below = sqliteStorage(join(directory, "plain", "store"));
    expect(await codeOf(below.get(hashOf("x")))).toBe("STORE_UNREADABLE");
    expect(await codeOf(below.transact(one))).toBe("STORE_UNREADABLE");
    await mkdir(file);
    await expect(open().transact(one)).rejects.toMatchObject({
      code: "STORE_UNREADABLE",
      cause: { errcode: 14 },
    });
  });

  it("S47 after a close everything is in the one file", async () => {
    const { directory, file, open } = await testStore();
    const storage = open();
    const put = batch("memory", 50);
    for (const object of put) await storage.transact(transaction({ put: [object] }));
    await storage.close();
    const copy = join(directory, "copy");
    await mkdir(copy);
    await copyFile(file, join(copy, "palimpsest.db"));
    const copied = sqliteStorage(copy);
    expect(await copied.missing(put.map(({ hash }) => hash))).toEqual([]);
    await copied.close();
  });

  it("S212 where only the log of a store is left none is created: DAMAGED, naming the log and what to do", async () => {
    const { directory, file, open } = await testStore();
    const killed = join(directory, "killed");
    const writing = open();
    await writing.transact(one);
    await mkdir(killed);
    await copyFile(`${file}-wal`, join(killed, "palimpsest.db-wal"));
    const storage = sqliteStorage(killed);
    expect(await storage.get(hashOf("x"))).toBeUndefined();
    await expect(storage.transact(one)).rejects.toMatchObject({
      code: "DAMAGED",
      message: expect.stringContaining("palimpsest.db-wal"),
      hint: expect.stringContaining("remove the log"),
    });
    expect(await readdir(killed)).toEqual(["palimpsest.db-wal"]);
    await copyFile(file, join(killed, "palimpsest.db"));
    expect(await storage.transact(one)).toBe("ok");
    await storage.close();
  });

  it("S213 a file that cannot be opened is DAMAGED however short it was cut, and the way on is repair or a backup", async () => {
    const { open, file } = await testStore();
    const first = open();
    await first.transact(one);
    await first.close();
    const whole = await readFile(file);
    const files = [0, 1, 50, 100, 511, 600, 4000, 5000].map((size) => whole.subarray(0, size));
    for (const bytes of [...files, Buffer.from("no database at all ".repeat(500))]) {
      await writeFile(file, bytes);
      const storage = open();
      await expect(storage.get(hashOf("x")), `${bytes.length}`).rejects.toMatchObject({
        code: "DAMAGED",
        hint: expect.stringMatching(/pal repair .*pal restore/),
      });
      await storage.close();
      expect(await readFile(file)).toEqual(Buffer.from(bytes));
    }
  });
});
