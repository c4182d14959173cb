import { type Hash, PalimpsestError, type Timestamp, timestamp } from "../core/base/index.js";
import { decodeObject, encodeObject, SYSTEM, type Touch } from "../core/ledger/index.js";
import type { Lease, RefMove, Storage, TouchedBy } from "../storage/index.js";
import { readLog } from "./operations.js";
import type { GcOptions } from "./options.js";
import { inSlices, Pace } from "./pace.js";
import { Findings } from "./problems.js";
import { Reachable } from "./reachable.js";
import { fetchWhole, readSnapshot } from "./reads.js";
import { underLease } from "./under-lease.js";

const DAY = 86_400_000;
const PAGE = 2048;
export const COLLECTING = "gc";

export interface GcReport {
  /** Objects that nothing led to any more. */
  readonly objects: number;
  /** Of these, commits. */
  readonly commits: number;
  /** Items that waited for a person for longer than the days of grace. */
  readonly staging: number;
}

/** Drops what nothing leads to: of deleted branches, rejected items, snapshots that gave way. One process at a time. */
export async function collectGarbage(storage: Storage, now: number, options: GcOptions): Promise<GcReport> {
  const since = timestamp(now - (options.graceDays ?? 30) * DAY);
  if (!(await storage.exists())) return { objects: 0, commits: 0, staging: 0 };
  const total = { objects: 0, commits: 0, staging: 0 };
  await underLease(storage, COLLECTING, "collecting garbage", async (lease) => {
    total.staging += await dropAbandoned(storage, since, timestamp(now), lease, options);
    const { objects, commits, known } = await dropUnreachable(storage, since, lease, options);
    total.objects += objects;
    total.commits += commits;
    if (options.dryRun) return true;
    if (!lease.isHeld) return false;
    const tidying = new Pace((done) => options.onProgress?.(done, done, total.objects));
    const gone = await goneCommits(storage, known, tidying);
    if (gone.size > 0) await forgetTouch(storage, gone);
    return true;
  });
  return total;
}

async function dropAbandoned(
  storage: Storage,
  since: Timestamp,
  now: Timestamp,
  lease: Lease,
  options: GcOptions,
): Promise<number> {
  const moves: RefMove[] = [];
  for (const [name, { target }] of await storage.refs("staging/")) {
    const bytes = (await fetchWhole(storage, "commit", [target])).get(target);
    if (bytes && decodeObject("commit", bytes).time < since) moves.push({ name, expect: target, next: null });
  }
  if (moves.length === 0 || options.dryRun) return moves.length;
  const operation = encodeObject("operation", {
    author: SYSTEM,
    refs: moves.map(({ name, expect }) => ({ before: expect as Hash, name })),
    time: now,
    v: 1,
    verb: "gc",
  });
  const { epoch } = await storage.version();
  const result = await storage.transact({
    put: [operation],
    refs: moves,
    touch: [],
    ops: [operation.hash],
    epoch,
    guard: lease.guard,
  });
  return result === "ok" ? moves.length : 0;
}

/** Marked beside the writers; each slice is looked at once more, and dropped, with the write lock held. */
async function dropUnreachable(storage: Storage, since: Timestamp, lease: Lease, options: GcOptions) {
  const reachable = new Reachable(storage, since, options.onProgress);
  const look = async () => {
    const findings = new Findings();
    const { seq, epoch, refs } = await readSnapshot(storage, findings);
    const log = await readLog(storage, seq, findings, reachable.seq);
    if (!refs || !log)
      throw new PalimpsestError(
        "DAMAGED",
        "The refs or the operation log cannot be read; nothing was dropped.",
      );
    await reachable.refresh(refs, log, seq);
    return epoch;
  };
  await look();
  const doomed = reachable.doomed();
  const known = (hash: Hash) => reachable.isLive(hash);
  const commitsAmong = async (hashes: readonly Hash[]) => (await fetchWhole(storage, "commit", hashes)).size;
  if (options.dryRun) return { objects: doomed.length, commits: await commitsAmong(doomed), known };
  // The last moment at which whoever ends it has lost nothing.
  options.onProgress?.(0, doomed.length, 0);
  let commits = 0;
  let dropped = 0;
  let done = 0;
  await inSlices(
    doomed,
    () => lease.isHeld,
    async (slice) => {
      await storage.exclusive(async (transact) => {
        const epoch = await look();
        const drop = slice.filter((hash) => !reachable.isLive(hash));
        const found = await commitsAmong(drop);
        const nothing = { put: [], refs: [], touch: [], ops: [] };
        if ((await transact({ ...nothing, epoch, guard: lease.guard, drop })) !== "ok") return;
        dropped += drop.length;
        commits += found;
      });
      done += slice.length;
      options.onProgress?.(done, doomed.length, dropped);
    },
  );
  return { objects: dropped, commits, known };
}

/** Commits that touch rows speak of and that are not there: dropped now, or by somebody who was cut off before the end. */
async function goneCommits(
  storage: Storage,
  isKnown: (hash: Hash) => boolean,
  pace: Pace,
): Promise<Set<Hash>> {
  const unknown = new Set<Hash>();
  for (let after = 0; ; ) {
    const page = await storage.touchSince(after, PAGE);
    for (const { commit } of page.touch) if (!isKnown(commit)) unknown.add(commit);
    const pause = pace.step();
    if (pause) await pause;
    if (page.seq <= after) break;
    after = page.seq;
  }
  return new Set(await storage.missing([...unknown]));
}

/** The events of dropped commits are derived from what is gone. */
async function forgetTouch(storage: Storage, dropped: ReadonlySet<Hash>): Promise<void> {
  const { seq } = await storage.version();
  const rows: TouchedBy[] = [];
  const pace = new Pace(undefined);
  for (let after = 0; after < seq; ) {
    const page = await storage.touchSince(after, 1);
    const touch: Touch[] = page.touch.filter(({ commit }) => !dropped.has(commit));
    if (touch.length > 0) rows.push({ seq: page.seq, touch });
    const pause = pace.step();
    if (pause) await pause;
    if (page.seq <= after) break;
    after = page.seq;
  }
  await storage.rebuild(
    (async function* () {
      yield* rows;
    })(),
    seq,
  );
}
