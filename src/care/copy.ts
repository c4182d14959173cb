import { type Hash, PalimpsestError } from "../core/base/index.js";
import type { RefMove, Storage, StoredObject, TransactResult } from "../storage/index.js";
import type { Contents } from "./backup.js";
import { copyNodes } from "./kept-nodes.js";

const PER_STEP = 1_000;
const TRUTH = ["memory", "changeset", "commit", "note", "operation", "tombstone"] as const;
const NOTHING = { put: [], refs: [], touch: [], ops: [] } as const;

/**
 * Says which refs there are and what was done to them; with erasures among them the epoch moves. `since` is the epoch in
 * which what they lead to was put there.
 */
export async function publish(
  storage: Storage,
  { refs, ops }: Omit<Contents, "objects">,
  since?: number,
): Promise<void> {
  const epoch = since ?? (await storage.version()).epoch;
  for (let at = 0; at + PER_STEP < ops.length; at += PER_STEP)
    await storage.transact({ ...NOTHING, ops: ops.slice(at, at + PER_STEP), epoch });
  const rest = ops.slice(Math.floor(Math.max(0, ops.length - 1) / PER_STEP) * PER_STEP);
  const moves = [...refs].map(([name, next]): RefMove => ({ name, expect: null, next }));
  const isErased = moves.some(({ name }) => name.startsWith("erased/"));
  assertDone(
    await storage.transact({
      ...NOTHING,
      refs: moves,
      ops: rest,
      epoch,
      ...(isErased && { erase: { objects: [], texts: [], notes: [] } }),
    }),
  );
}

function assertDone(result: TransactResult): void {
  if (result === "stale")
    throw new PalimpsestError("STORE_BUSY", "Somebody else wrote to this store meanwhile.");
}

/**
 * Everything of one store into another of any kind, which must have no refs. They come last: whatever ends it before
 * leaves a place that is as good as empty, and it can be done again.
 */
export async function copyStore(from: Storage, to: Storage): Promise<void> {
  const { seq } = await from.version();
  const refs = await from.refs("");
  if ((await to.touchSince(0, 1)).touch.length > 0) await to.rebuild(none(), (await to.version()).seq);
  const { epoch } = await to.version();
  let put: StoredObject[] = [];
  const flush = async () => {
    if (put.length > 0) assertDone(await to.transact({ ...NOTHING, put, epoch }));
    put = [];
    // Else all that was written would wait in memory to be indexed.
    await to.tend();
  };
  for await (const { hash, kind, bytes } of from.scan({ kinds: TRUTH })) {
    put.push({ hash, kind, bytes });
    if (put.length >= PER_STEP) await flush();
  }
  await flush();
  for (let after = 0; after < seq; ) {
    const page = await from.touchSince(after, PER_STEP);
    if (page.touch.length > 0) assertDone(await to.transact({ ...NOTHING, touch: page.touch, epoch }));
    await to.tend();
    if (page.seq <= after) break;
    after = page.seq;
  }
  await publish(to, { refs, ops: await opsOf(from) }, epoch);
  // Before there were refs, nothing would have led to them.
  await copyNodes(from, to);
  await to.tend();
}

async function* none(): AsyncGenerator<never> {}

async function opsOf(storage: Storage): Promise<Hash[]> {
  const newest: Hash[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await storage.opsBefore(before, 4096);
    for (const hash of page.ops) newest.push(hash);
    before = page.seq;
  }
  return newest.reverse();
}
