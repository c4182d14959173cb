import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { memoryStorage, openStore } from "../index.js";
import { replaceFile } from "./files.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pal-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("C298 a file appears whole, and with the mode of the one it replaces", async () => {
  const path = join(folder, "x.txt");
  await replaceFile(path, "one");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await replaceFile(path, ["t", "wo"]);
  expect(readFileSync(path, "utf8")).toBe("two");
  const broken = (async function* () {
    yield "th";
    throw new Error("ended");
  })();
  await expect(replaceFile(path, broken)).rejects.toThrow();
  expect(readFileSync(path, "utf8")).toBe("two");
  expect(readdirSync(folder)).toEqual(["x.txt"]);
});

it.skipIf(process.platform === "win32")(
  "C298 a pipe is written into and stays one; no backup takes its place",
  async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const [read] = await Promise.all([readFile(pipe, "utf8"), replaceFile(pipe, ["on", "e"])]);
    expect(read).toBe("one");
    expect(statSync(pipe).isFIFO()).toBe(true);
    const store = await openStore(memoryStorage());
    await expect(store.backup(pipe, { overwrite: true })).rejects.toMatchObject({ code: "INVALID_FILE" });
    expect(statSync(pipe).isFIFO()).toBe(true);
    await store.close();
  },
);
