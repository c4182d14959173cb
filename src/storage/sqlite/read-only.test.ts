import { chmod, copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hashOf, object, transaction } from "../contract/data.js";
import { codeOf, testStore } from "./_store.js";
import { systemDriver } from "./driver.js";
import { Handle } from "./handle.js";
import { sqliteStorage } from "./index.js";

const [one, two] = ["one", "two"].map((text) => object("memory", text)) as [
  ReturnType<typeof object>,
  ReturnType<typeof object>,
];
const NOBODY = 65_534;
/** Permissions do not bind root, who can be somebody else for a while; where neither holds, nothing can be shown. */
const canTest = process.platform !== "win32" && (process.getuid?.() !== 0 || process.seteuid !== undefined);

async function bound<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

it.runIf(canTest)(
  "S89 a store that may not be written can be read, and its writes are STORE_READONLY",
  async () => {
    const { open, directory, file } = await testStore();
    const owner = open();
    await owner.transact(transaction({ put: [one] }));
    await owner.close();
    const before = await readdir(directory);
    await chmod(file, 0o444);
    await chmod(directory, 0o555);
    await bound(async () => {
      const reader = sqliteStorage(directory);
      expect(await reader.get(one.hash)).toBeDefined();
      expect(await codeOf(reader.transact(transaction({ put: [two] })))).toBe("STORE_READONLY");
      expect(await reader.get(hashOf("nothing"))).toBeUndefined();
      await reader.close();
    });
    await chmod(directory, 0o755);
    // Fewer are well: the log of the owner goes when the garbage collector meets its last statement.
    expect(before).toEqual(expect.arrayContaining(await readdir(directory)));
  },
);

it.runIf(canTest)(
  "S90 who reads a store that may not be written sees what others write there later",
  async () => {
    const { open, directory, file } = await testStore();
    const owner = open();
    await owner.transact(transaction({ put: [one] }));
    await owner.close();
    await chmod(file, 0o644);
    await chmod(directory, 0o755);
    if (process.getuid?.() !== 0) return;
    const reader = sqliteStorage(directory);
    await bound(async () => expect(await reader.get(two.hash)).toBeUndefined());
    const again = open();
    await again.transact(transaction({ put: [two] }));
    await again.close();
    await bound(async () => expect(await reader.get(two.hash)).toBeDefined());
    await reader.close();
  },
);

it.runIf(canTest)(
  "S91 where a killed writer left its log, reading without writing says what helps",
  async () => {
    const { open, directory } = await testStore();
    const owner = open();
    await owner.transact(transaction({ put: [one] }));
    const { directory: copy } = await testStore();
    for (const name of ["palimpsest.db", "palimpsest.db-wal"])
      await copyFile(join(directory, name), join(copy, name));
    await owner.close();
    await chmod(join(copy, "palimpsest.db"), 0o444);
    await chmod(join(copy, "palimpsest.db-wal"), 0o444);
    await chmod(copy, 0o555);
    await bound(async () => {
      const reader = sqliteStorage(copy);
      const error = await reader.get(one.hash).then(
        () => undefined,
        (caught) => caught,
      );
      expect(error).toMatchObject({ code: "STORE_READONLY", hint: expect.stringContaining("copy") });
      await reader.close();
    });
    await chmod(copy, 0o755);
  },
);

const isRoot = process.platform !== "win32" && process.getuid?.() === 0;

async function closedStore() {
  const { open, directory, file } = await testStore();
  const owner = open();
  await owner.transact(transaction({ put: [one] }));
  await owner.close();
  await chmod(file, 0o644);
  await chmod(directory, 0o755);
  // Changes are told by the time of the file, which goes in steps.
  await new Promise((later) => setTimeout(later, 30));
  return { directory, file };
}

it.runIf(isRoot)(
  "S175 what is changed in the middle of a read without the right to write is read again",
  async () => {
    const { file } = await closedStore();
    const driver = await systemDriver();
    const handle = new Handle(file, { busyLimitMs: 1000 });
    const change = () => {
      process.seteuid?.(0);
      const db = driver.open(`file:${file}`, { timeout: 1000 });
      db.exec("INSERT INTO side VALUES ('key', 'new'); PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
      process.seteuid?.(NOBODY);
    };
    let reads = 0;
    const seen = await bound(() =>
      handle.read("absent", (connection) => {
        const rows = connection.sql<{ value: string }>("SELECT value FROM side WHERE key = 'key'").all();
        if (reads++ === 0) change();
        return rows[0]?.value ?? "old";
      }),
    );
    expect([seen, reads]).toEqual(["new", 2]);
    await handle.end();
  },
);

it.runIf(isRoot)(
  "S176 a connection that could only read is not kept for a write: that tries once more to open the store for it",
  async () => {
    const { directory } = await closedStore();
    const storage = sqliteStorage(directory);
    await bound(async () => expect(await storage.get(one.hash)).toBeDefined());
    expect(await storage.transact(transaction({ put: [two] }))).toBe("ok");
    await storage.close();
  },
);
