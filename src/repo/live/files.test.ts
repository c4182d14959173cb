import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { memoryStorage, openStore } from "../../index.js";
import { putFile, unwritable, writeWhole } from "./files.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pal-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("C298 a file appears whole, and with the mode of the one it replaces", async () => {
  const path = join(folder, "x.txt");
  await putFile(path, "one", {});
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await putFile(path, ["t", "wo"], { over: "anything" });
  expect(readFileSync(path, "utf8")).toBe("two");
  const broken = (async function* () {
    yield "th";
    throw new Error("ended");
  })();
  await expect(putFile(path, broken, { over: "anything" })).rejects.toThrow();
  expect(readFileSync(path, "utf8")).toBe("two");
  expect(readdirSync(folder)).toEqual(["x.txt"]);
});

it.skipIf(process.platform === "win32")(
  "C298 a pipe is refused and stays one; no backup takes its place",
  async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    await expect(putFile(pipe, ["on", "e"], {})).rejects.toMatchObject({ code: "INVALID_FILE" });
    expect(statSync(pipe).isFIFO()).toBe(true);
    const store = await openStore(memoryStorage());
    await expect(store.backup(pipe, { overwrite: true })).rejects.toMatchObject({ code: "INVALID_FILE" });
    expect(statSync(pipe).isFIFO()).toBe(true);
    await store.close();
  },
);

it("C321 what a nearly full disk took of a text is not taken for all of it", async () => {
  const written: string[] = [];
  const file = {
    async write(bytes: Uint8Array, at: number, length: number, place: number | null) {
      const taken = Math.min(3, length);
      written.push(`${place}:${Buffer.from(bytes.subarray(at, at + taken)).toString()}`);
      return { bytesWritten: taken };
    },
  };
  expect(await writeWhole(file, "zwölf", 10)).toBe(6);
  expect(written.map((part) => part.split(":")[0])).toEqual(["10", "13"]);
  expect(await writeWhole(file, "pipe")).toBe(4);
  expect(written.slice(2)).toEqual(["null:pip", "null:e"]);
});

it("C321 a full disk is exit 3, a folder that is not there the caller's mistake", async () => {
  expect(unwritable("x", { code: "ENOSPC" })).toMatchObject({ code: "STORE_FULL" });
  const place = join(folder, "no", "x.json");
  await expect(putFile(place, "one", {})).rejects.toMatchObject({
    code: "INVALID_FILE",
    message: expect.stringMatching(/its folder is not there/),
  });
  const store = await openStore(memoryStorage());
  await expect(store.backup(place)).rejects.toMatchObject({ code: "INVALID_FILE" });
  await store.close();
});
