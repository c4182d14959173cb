import { type Hash, hashBytes, PalimpsestError, type Timestamp, timestamp } from "../core/base/index.js";
import {
  type Commit,
  decodeObject,
  encodeObject,
  type Operation,
  SYSTEM,
  type Touch,
} from "../core/ledger/index.js";
import {
  acquireLease,
  type Lease,
  type ObjectKind,
  type Ref,
  type RefMove,
  type Storage,
  type TouchedBy,
} from "../storage/index.js";
import { readLog } from "./chain.js";
import type { GcOptions } from "./options.js";
import { inSlices, type OnProgress, Pace } from "./pace.js";
import { Findings } from "./problems.js";
import { fetchWhole, readSnapshot } from "./reads.js";

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
  // The last moment at which ending it loses nothing.
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

/** Everything of one version of the store that something leads to. */
class Reachable {
  readonly #live = new Set<Hash>();
  readonly #commits = new Map<Hash, Commit>();
  readonly #operations = new Map<Hash, Operation>();
  readonly #others = new Map<Hash, ObjectKind>();
  readonly #pace: Pace;
  #seq = 0;

  constructor(
    readonly storage: Storage,
    /** What operations since then moved can still be undone. */
    readonly since: Timestamp,
    onProgress?: OnProgress,
  ) {
    this.#pace = new Pace(onProgress);
  }

  /** Up to where it has read. */
  get seq(): number {
    return this.#seq;
  }

  isLive(hash: Hash): boolean {
    return this.#live.has(hash);
  }

  /** What nothing leads to. */
  doomed(): Hash[] {
    const all = [...this.#commits.keys(), ...this.#operations.keys(), ...this.#others.keys()];
    return all.filter((hash) => !this.#live.has(hash));
  }

  /** Takes in what was written since the last time; of the log only what is new need be given. */
  async refresh(refs: ReadonlyMap<string, Ref>, log: readonly Hash[], upTo: number): Promise<void> {
    await this.#readNew(upTo);
    const starts = [...refs.values()].map(({ target }) => target);
    for (const hash of log) {
      const operation = this.#operations.get(hash);
      this.#live.add(hash);
      if (!operation) continue;
      if (operation.note) this.#live.add(operation.note);
      if (operation.time < this.since) continue;
      for (const { before, after } of operation.refs) starts.push(...[before ?? [], after ?? []].flat());
    }
    await this.#follow(starts);
  }

  async #readNew(upTo: number): Promise<void> {
    this.#pace.stretch(0, 0.8);
    for await (const { hash, kind, bytes, seq } of this.storage.scan({ after: this.#seq })) {
      if (seq > upTo) break;
      const pause = this.#pace.step(seq / upTo);
      if (pause) await pause;
      if (kind === "node") continue;
      const isWhole = hashBytes(kind, bytes) === hash;
      if (isWhole && kind === "commit") this.#commits.set(hash, decodeObject("commit", bytes));
      else if (isWhole && kind === "operation") this.#operations.set(hash, decodeObject("operation", bytes));
      else if (isWhole) this.#others.set(hash, kind);
    }
    this.#seq = upTo;
  }

  async #follow(starts: readonly Hash[]): Promise<void> {
    const fresh: Commit[] = [];
    const waiting = [...starts];
    for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
      if (this.#live.has(hash)) continue;
      this.#live.add(hash);
      const commit = this.#commits.get(hash);
      if (!commit) continue;
      fresh.push(commit);
      waiting.push(...commit.parents);
    }
    this.#pace.stretch(0.8, 1);
    for (let at = 0; at < fresh.length; at += 64) {
      await this.#mark(fresh.slice(at, at + 64));
      const pause = this.#pace.step(at / fresh.length);
      if (pause) await pause;
    }
  }

  async #mark(commits: readonly Commit[]): Promise<void> {
    const changesets = commits.map(({ changeset }) => changeset);
    for (const { note } of commits) if (note) this.#live.add(note);
    for (const changeset of changesets) this.#live.add(changeset);
    for (const bytes of (await fetchWhole(this.storage, "changeset", changesets)).values())
      for (const { before, after } of decodeObject("changeset", bytes).events) {
        if (before) this.#live.add(before);
        if (after) this.#live.add(after);
      }
  }
}

/** So often it begins again; on a machine that is too busy for signs of life somebody has to know. */
const TRIES = 3;

/**
 * Runs work that one process should do under a lease, until it answers that it is done. A process that was stopped for a
 * while has lost the lease, and begins again with what is left.
 */
export async function underLease(
  storage: Storage,
  name: string,
  what: string,
  work: (lease: Lease) => Promise<boolean>,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const lease = await acquireLease(storage, name);
    if (!lease) throw new PalimpsestError("STORE_BUSY", `Another process is ${what} right now.`);
    try {
      if (await work(lease)) return;
    } finally {
      await lease.release();
    }
  }
  throw new PalimpsestError("STORE_BUSY", `This process was stopped too often while it was ${what}.`, {
    hint: "Nothing is lost. Run it again when the machine is less busy.",
  });
}
