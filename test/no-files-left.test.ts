import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./_processes.js";

it.skipIf(process.platform === "win32")(
  "S723 a program without files left is told so: neither the store nor its permissions are blamed, and no file is said to be missing",
  () => {
    const home = mkdtempSync(join(tmpdir(), "pal-files-"));
    const file = join(home, "a.json");
    writeFileSync(file, '[{"text":"The kettle is on"}]');
    const script = join(ROOT, "test/_no-files-left.mjs");
    const said = execFileSync(
      "sh",
      ["-c", 'ulimit -n 64; exec "$0" "$@"', process.execPath, script, join(home, "store"), file],
      {
        encoding: "utf8",
      },
    );
    const { store, file: read } = JSON.parse(said);
    expect(store).toMatch(/^PalimpsestError STORE_IO: This program has too many files open/);
    expect(read).toMatch(/^PalimpsestError INVALID_FILE: .*this program has too many files open/);
    rmSync(home, { recursive: true, force: true });
  },
);
