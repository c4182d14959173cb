import { PalimpsestError } from "../base/index.js";
import { acquireLease, type Storage } from "../storage/index.js";
import { THINNING, thinNodes } from "./thin.js";

export interface CompactOptions {
  /** What was kept of the store from before an upgrade goes too. */
  readonly dropOld?: boolean;
  readonly onProgress?: (step: "nodes" | "file") => void;
  /** Ends it early, with nothing lost. */
  readonly signal?: AbortSignal;
}

/** What the store took before and after. */
export interface CompactReport {
  readonly before: number;
  readonly after: number;
  /** Derived nodes that nobody starts from. */
  readonly nodes: number;
  readonly objects: number;
}

/** Drops derived nodes that no reader starts from, then gives free space back. History stays whole. */
export async function compactStore(storage: Storage, options: CompactOptions = {}): Promise<CompactReport> {
  const { bytes: before } = await storage.size();
  if (!(await storage.exists())) return { before, after: before, nodes: 0, objects: 0 };
  const lease = await acquireLease(storage, THINNING);
  if (!lease)
    throw new PalimpsestError("STORE_BUSY", "Another process is making the store smaller right now.");
  const goOn = () => lease.isHeld && !options.signal?.aborted;
  try {
    options.onProgress?.("nodes");
    const nodes = await thinNodes(storage, goOn);
    await storage.tend();
    options.onProgress?.("file");
    if (goOn()) await storage.compact({ goOn, dropOld: options.dropOld === true });
    let objects = 0;
    for await (const { kind } of storage.scan()) if (kind !== "node") objects++;
    return { before, after: (await storage.size()).bytes, nodes, objects };
  } finally {
    await lease.release();
  }
}
