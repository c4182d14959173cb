import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
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
  const ended = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => ended.once("exit", resolve));
  for (const pid of [ended.pid, process.pid])
    await mkdir(join(directory, `scratch-${pid}-abc`), { recursive: true });
  await writeFile(join(directory, `scratch-${ended.pid}-abc`, "palimpsest.db"), "");
  await sweepScratchFolders(sqliteStorage(directory));
  expect(await readdir(directory)).toEqual([`scratch-${process.pid}-abc`]);
});
