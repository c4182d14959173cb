import { spawn } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqliteStorage, sweepScratchFolders } from "../storage/index.js";
import { withScratchStore } from "./restore.js";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "pal-scratch-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it("S92 what is built before it enters a store lies beside that store, and is gone afterwards, also after a failure", async () => {
  const directory = join(home, "new", "store");
  const target = sqliteStorage(directory);
  const seen = await withScratchStore(target, async ({ location }) => {
    expect(location.startsWith(directory)).toBe(true);
    return readdir(directory);
  });
  expect(seen).toHaveLength(1);
  await expect(withScratchStore(target, () => Promise.reject(new Error("cut")))).rejects.toThrow("cut");
  expect(await readdir(join(home, "new"))).toEqual([]);
});

it("S93 what a killed process left of it goes with the next one; what a running one has stays", async () => {
  const directory = join(home, "left");
  const storage = sqliteStorage(directory);
  const ended = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => ended.once("exit", resolve));
  await withScratchStore(storage, async () => {
    const [own = ""] = await readdir(directory);
    const left = own.replace(`-${process.pid}-`, `-${ended.pid}-`);
    // Of another machine's processes nothing is known here but how old their folders are.
    const [elsewhere, old] = [`scratch-other-${ended.pid}-abc`, `scratch-other-${ended.pid}-def`];
    for (const name of [left, elsewhere, old]) await mkdir(join(directory, name));
    await writeFile(join(directory, left, "palimpsest.db"), "");
    await utimes(join(directory, old), 0, 0);
    await sweepScratchFolders(storage);
    expect(await readdir(directory)).toEqual([own, elsewhere].sort());
  });
});

it("S177 what nobody has written to for a day goes, also when a process has its number; what is written to stays", async () => {
  const directory = join(home, "same-number");
  const storage = sqliteStorage(directory);
  await withScratchStore(storage, async (scratch) => {
    await scratch.transact({ put: [], refs: [], touch: [], ops: [], epoch: 0 });
    const [own = ""] = await readdir(directory);
    await mkdir(join(directory, `${own}-before`));
    for (const name of [own, `${own}-before`]) await utimes(join(directory, name), 0, 0);
    await sweepScratchFolders(storage);
    expect(await readdir(directory)).toEqual([own]);
  });
});

it.runIf(process.getuid?.() === 0)(
  "S177 a folder that may not be taken away keeps nobody from their work",
  async () => {
    const directory = join(home, "theirs");
    await mkdir(join(directory, "scratch-other-1-abc", "inner"), { recursive: true });
    await utimes(join(directory, "scratch-other-1-abc"), 0, 0);
    await chown(directory, 65_534, 65_534);
    await chmod(home, 0o755);
    process.seteuid?.(65_534);
    try {
      expect(await withScratchStore(sqliteStorage(directory), async () => "done")).toBe("done");
    } finally {
      process.seteuid?.(0);
    }
  },
);
