import { randomBytes } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PalimpsestError } from "../../core/base/index.js";
import { isOfFiles, isThere, unusable, unwritable } from "../../repo/index.js";
import { assertNoLog, Destination, nameFile, salvageStore, sqliteStorage } from "../../storage/index.js";
import type { RepairReport } from "../repair.js";

export interface RepairOptions {
  /** May throw to end it, and then there is no new store. */
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

const FILE = "palimpsest.db";

export async function repair(
  damaged: string,
  into: string,
  onProgress: RepairOptions["onProgress"],
): Promise<RepairReport> {
  const from = resolve(damaged);
  const to = await placeOf(resolve(into));
  if (!(await isThere(from))) throw unusable(from, { code: "ENOENT" });
  if (from === to || (await isThere(join(to, FILE))))
    throw new PalimpsestError("REFUSED", `There is a store in ${to} already.`, {
      hint: "Name an empty place for the new store.",
    });
  assertNoLog(join(to, FILE));
  const beside = `${to}.${randomBytes(6).toString("hex")}.tmp`;
  const target = sqliteStorage(beside);
  try {
    const { repairInto } = await import("../repair.js");
    const salvage = await salvageStore(from);
    if (salvage.objects.size + salvage.loose.size === 0)
      throw new PalimpsestError("DAMAGED", "Nothing of this store can be read any more.", {
        hint: "Bring back a backup with `pal restore`; nothing in this file can be saved.",
      });
    const report = await repairInto(target, salvage, onProgress);
    await target.close();
    await assertFolded(join(beside, FILE));
    await nameFile(join(beside, FILE), join(to, FILE), { makes: { mode: 0o700 } }).catch((error) => {
      throw isOfFiles(error) ? unwritable(to, error) : error;
    });
    return report;
  } finally {
    await target.close();
    await rm(beside, { recursive: true, force: true });
  }
}

/** Where it will really be; what is yet to be made is no link. */
async function placeOf(folder: string): Promise<string> {
  return Destination.folder(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return folder;
    throw isOfFiles(error) ? unwritable(folder, error) : error;
  });
}

/** The file alone is moved: what a store that could not be closed well left in its log would be lost. */
async function assertFolded(file: string): Promise<void> {
  const log = await stat(`${file}-wal`).catch(() => undefined);
  if (log && log.size > 0)
    throw new PalimpsestError("STORE_IO", "The new store could not be written to its end.", {
      hint: "Nothing of it was left. See that there is room on the disk, and run it again.",
    });
}
