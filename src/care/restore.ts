import { type Hash, PalimpsestError, type Timestamp } from "../core/base/index.js";
import {
  type RefMove,
  type Storage,
  type StoredObject,
  sqliteStorage,
  type TransactResult,
  withScratchFolder,
} from "../storage/index.js";
import { applyTombstones, type BackupFile, type Contents, fillFrom } from "./backup.js";
import { copyNodes } from "./checkpoint-nodes.js";
import { type OnProgress, Pace } from "./pace.js";
import { rebuildStore } from "./rebuild.js";
import { verifyStore } from "./verify.js";

export interface RestoreReport {
  readonly objects: number;
  readonly refs: number;
  readonly head: string;
  readonly root: string;
  readonly memories: number;
  /** Erasures that were made after the backup and hold here too. */
  readonly tombstones: number;
}

/**
 * Fills an empty store from a backup. All of it is built and verified in a place of its own first, so that a file that is
 * cut, forged or hostile leaves nothing behind.
 */
export async function restoreStore(
  target: Storage,
  source: BackupFile,
  tombstones: readonly StoredObject[],
  now: Timestamp,
  onProgress?: OnProgress,
): Promise<RestoreReport> {
  if ((await target.refs("")).size > 0)
    throw new PalimpsestError("REFUSED", "This store has memories of its own.", {
      hint: "Restore into an empty place: choose another directory with --store.",
    });
  return withScratchStore(target, async (scratch) => {
    const pace = new Pace(onProgress);
    pace.stretch(0, 0.2);
    const contents = await fillFrom(scratch, source.bytes, pace, source.part);
    await publish(scratch, contents);
    const applied = await applyTombstones(scratch, tombstones, now);
    await rebuildStore(scratch, { onProgress: pace.within(0.2, 0.5) });
    const { ok, problems, head, root, memories } = await verifyStore(scratch, {
      onProgress: pace.within(0.5, 0.8),
    });
    if (!ok)
      throw new PalimpsestError("DAMAGED", "The backup does not hold a whole store.", {
        hint: "Nothing was restored. Use another backup, or the store it was made from.",
        data: { problems: problems.slice(0, 10) },
      });
    // From here on it comes to its end: a store that was filled in part is neither empty nor restored.
    await copyStore(scratch, target);
    return {
      objects: contents.objects,
      refs: contents.refs.size,
      head,
      root,
      memories,
      tombstones: applied,
    };
  });
}

/** Lends an empty store, to build in it what only enters another when it is whole. It lies beside that one. */
export const withScratchStore = <T>(beside: Storage, work: (scratch: Storage) => Promise<T>): Promise<T> =>
  withScratchFolder(beside, async (folder) => {
    const scratch = sqliteStorage(folder);
    try {
      return await work(scratch);
    } finally {
      await scratch.close();
    }
  });

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
