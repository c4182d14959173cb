import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What a killed process left behind is taken away by the next that writes. */
const LEFTOVER_MS = 3_600_000;

/** Writes beside the target and renames: a crash or a second process never leaves half a file under its name. */
export function writeCache(path: string, file: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  removeLeftovers(path);
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    writeFileSync(temporary, file, { flag: "wx" });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function removeLeftovers(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith(".tmp")) continue;
    const leftover = join(dirname(path), name);
    const age = Date.now() - (statSync(leftover, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > LEFTOVER_MS) rmSync(leftover, { force: true });
  }
}
