import type { Storage } from "../storage/index.js";
import { underLease } from "./gc.js";
import type { CompactOptions } from "./options.js";
import { type OnProgress, Pace } from "./pace.js";
import { THINNING, thinNodes } from "./thin.js";

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
  // Steps differ in what they count, so all are given as a part of the bytes there are.
  const pace = new Pace((done, total) =>
    options.onProgress?.(total ? Math.round((before * done) / total) : 0, before),
  );
  let nodes = 0;
  await underLease(storage, THINNING, "making the store smaller", async (lease) => {
    options.onProgress?.(0, undefined);
    nodes += await thinNodes(storage, () => lease.isHeld, pace.within(0, 0.3));
    if (!lease.isHeld) return false;
    await storage.tend();
    await giveBack(storage, options.dropOld === true, pace.within(0.3, 0.9));
    return true;
  });
  // What was written to do all this lies in the log.
  await storage.scrub();
  const objects = await countObjects(storage, pace.within(0.9, 1));
  return { before, after: (await storage.size()).bytes, nodes, objects };
}

const LOOK_MS = 100;

/**
 * Nobody gives signs of life while the file is written anew; but nobody else can begin with it either. How far it is
 * shows in what the new one takes beside the old.
 */
async function giveBack(storage: Storage, dropOld: boolean, tell: OnProgress): Promise<void> {
  const { bytes: before, free } = await storage.size();
  // However short the rest is, ending it until now leaves the file as it was.
  tell(0, before - free);
  let ended: { readonly by: unknown } | undefined;
  const look = setInterval(async () => {
    try {
      const { bytes } = await storage.size();
      tell(Math.max(0, Math.min(bytes - before, before - free)), before - free);
    } catch (error) {
      ended ??= { by: error };
    }
  }, LOOK_MS);
  try {
    await storage.compact({ goOn: () => ended === undefined, dropOld });
  } finally {
    clearInterval(look);
  }
  if (ended) throw ended.by;
}

async function countObjects(storage: Storage, tell: OnProgress): Promise<number> {
  const { seq: last } = await storage.version();
  const pace = new Pace(tell);
  let objects = 0;
  for await (const { kind, seq } of storage.scan()) {
    if (kind !== "node") objects++;
    const pause = pace.step(seq / last);
    if (pause) await pause;
  }
  return objects;
}
