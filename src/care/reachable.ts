import { type Hash, hashBytes, type Timestamp } from "../core/base/index.js";
import { type Commit, decodeObject, type Operation } from "../core/ledger/index.js";
import type { ObjectKind, Ref, Storage } from "../storage/index.js";
import { type OnProgress, Pace } from "./pace.js";
import { fetchWhole } from "./reads.js";

/** Everything of one version of the store that something leads to. */
export class Reachable {
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
