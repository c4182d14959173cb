import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqliteStorage, sweepScratchFolders } from "../storage/index.js";
import { withScratchStore } from "./scratch-store.js";

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
