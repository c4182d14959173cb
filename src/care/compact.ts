import type { Storage } from "../storage/index.js";
import { Pace } from "./pace.js";
import { THINNING, thinNodes } from "./thin.js";
import { underLease } from "./under-lease.js";

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
  const mayGoOn = () => !options.signal?.aborted;
  let nodes = 0;
  await underLease(storage, THINNING, "making the store smaller", async (lease) => {
    options.onProgress?.("nodes");
    nodes += await thinNodes(storage, () => lease.isHeld && mayGoOn());
    if (!mayGoOn()) return true;
    if (!lease.isHeld) return false;
    await giveBack(storage, options, mayGoOn);
    return true;
  });
  // What was written to do all this lies in the log.
  await storage.scrub();
  return { before, after: (await storage.size()).bytes, nodes, objects: await countObjects(storage) };
}

/** Nobody gives signs of life while the file is written anew; but nobody else can begin with it either. */
async function giveBack(storage: Storage, options: CompactOptions, goOn: () => boolean): Promise<void> {
  await storage.tend();
  options.onProgress?.("file");
  if (goOn()) await storage.compact({ goOn, dropOld: options.dropOld === true });
}

async function countObjects(storage: Storage): Promise<number> {
  const pace = new Pace(undefined);
  let objects = 0;
  for await (const { kind } of storage.scan()) {
    if (kind !== "node") objects++;
    const pause = pace.step();
    if (pause) await pause;
  }
  return objects;
}
