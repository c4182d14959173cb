import { action, checkGiven, checkOptions, path } from "../../repo/index.js";
import type { RepairReport } from "../repair.js";
import type { RepairOptions } from "./repair-store.js";

/**
 * Saves what can be saved of a damaged store into a new one. The old one is read without anything that could be broken
 * in it, and never written to. The new one is made beside its place, so that it appears whole or not at all.
 */
export async function repairStore(
  damaged: string,
  into: string,
  options: RepairOptions = {},
): Promise<RepairReport> {
  checkGiven("repairStore", { damaged, into }, { damaged: path, into: path });
  checkOptions("repairStore", options, { onProgress: action });
  const { onProgress } = options;
  const { repair } = await import("./repair-store.js");
  return repair(damaged, into, onProgress);
}
