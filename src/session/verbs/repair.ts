import { resolve } from "node:path";
import { PalimpsestError } from "../../base/index.js";
import type { RepairReport } from "../../care/index.js";
import { salvageStore, sqliteStorage } from "../../storage/index.js";
import { isThere, unusable } from "../files.js";

/**
 * Saves what can be saved of a damaged store into a new one. The old one is read without anything that could be broken
 * in it, and never written to.
 */
export async function repairStore(damaged: string, into: string): Promise<RepairReport> {
  const [from, to] = [resolve(damaged), resolve(into)];
  if (!(await isThere(from))) throw unusable(from, { code: "ENOENT" });
  const target = sqliteStorage(to);
  try {
    if (from === to || (await target.exists()))
      throw new PalimpsestError("REFUSED", `There is a store in ${to} already.`, {
        hint: "Name an empty place for the new store.",
      });
    const { repairInto } = await import("../../care/index.js");
    const salvage = await salvageStore(from);
    if (salvage.objects.size + salvage.loose.size === 0)
      throw new PalimpsestError("DAMAGED", "Nothing of this store can be read any more.");
    return await repairInto(target, salvage);
  } finally {
    await target.close();
  }
}
