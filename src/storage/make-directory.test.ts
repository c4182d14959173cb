import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openStore } from "../session/index.js";
import { makeDirectory } from "./make-directory.js";

const home = mkdtempSync(join(tmpdir(), "pal-directory-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("S230 directories are made one by one", () => {
  it("S230 those that are missing, with the mode given, and the topmost is told", async () => {
    const path = join(home, "a", "b", "c");
    expect(await makeDirectory(path, 0o700)).toBe(join(home, "a"));
    expect(statSync(path).isDirectory()).toBe(true);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(await makeDirectory(path, 0o700)).toBeUndefined();
    expect(await makeDirectory(join(path, "d"))).toBe(join(path, "d"));
  });

  it("S230 many at once make the same", async () => {
    const path = join(home, "x", "y", "z");
    await Promise.all(Array.from({ length: 20 }, () => makeDirectory(path)));
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it("S230 what cannot be made is an error with a code", async () => {
    writeFileSync(join(home, "file"), "");
    await expect(makeDirectory(join(home, "file"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(makeDirectory(join(home, "file", "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
    if (process.platform === "win32") return;
    symlinkSync(join(home, "nowhere"), join(home, "link"));
    await expect(makeDirectory(join(home, "link", "below"))).rejects.toMatchObject({ code: "EEXIST" });
  });

  it.runIf(existsSync("/proc/self"))(
    "S230 a store where the file system makes no directories is STORE_UNREADABLE, and nobody waits for ever",
    async () => {
      for (const place of ["/proc/nope", "/proc/nope/below"]) {
        const store = await openStore(place);
        const pal = store.session();
        await expect(pal.remember("There is no room")).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
        await expect(pal.syncPalace(join(place, "mirror"))).rejects.toMatchObject({ code: "INVALID_FILE" });
        await store.close();
      }
    },
  );
});
