import type { Hash } from "../core/base/index.js";
import type { Commit, LedgerEvent, Tip, Touch } from "../core/ledger/index.js";
import type { Storage } from "../storage/index.js";
import { withEvents } from "./changesets.js";
import type { Inventory } from "./objects.js";
import type { Pace } from "./pace.js";
import type { Findings } from "./problems.js";
import { attempt, fetchWhole } from "./reads.js";
import { placeOf } from "./states.js";
import { byCommit, isOf, isSame, TouchMaker } from "./touch-maker.js";

const PAGE = 2048;

/** Makes every touch row again from commit, changeset and records, and compares it with the stored one. */
export class TouchRows {
  readonly #maker: TouchMaker;
  readonly #seen = new Set<Hash>();
  /** Of these the rows must be there. */
  readonly #due: ReadonlySet<Hash>;
  constructor(
    readonly storage: Storage,
    readonly inventory: Inventory,
    reached: readonly Tip[],
    /** Rows of later transactions are somebody's who writes meanwhile. */
    readonly seq: number,
    readonly findings: Findings,
    readonly pace: Pace,
  ) {
    this.#due = new Set(reached.map(({ hash }) => hash));
    this.#maker = new TouchMaker(inventory);
  }

  async check(): Promise<void> {
    const complete = await attempt(this.findings, "touch-unreadable", async () => {
      for await (const groups of this.#pages()) await this.#checkGroups(groups);
      return true;
    });
    if (!complete) return;
    const unseen = [...this.#due].filter((hash) => !this.#seen.has(hash));
    const tips = unseen.map((hash) => ({ hash, commit: this.inventory.commits.get(hash) as Commit }));
    for await (const { tip, events } of withEvents(this.storage, tips, this.inventory))
      for (const event of events ?? []) this.findings.add("touch-missing", placeOf(tip.hash, event));
  }

  /** Rows of one commit lie together; a page ends where a commit does. */
  async *#pages(): AsyncGenerator<Touch[][]> {
    const groups: Touch[][] = [];
    for (let after = 0; after < this.seq; ) {
      const page = await this.storage.touchSince(after, PAGE);
      byCommit(page.touch, groups);
      if (page.seq <= after) break;
      after = page.seq;
      if (groups.length > 1) yield groups.splice(0, groups.length - 1);
    }
    yield groups;
  }

  async #checkGroups(groups: readonly Touch[][]): Promise<void> {
    const tips = groups.map(([row]) => {
      const hash = (row as Touch).commit;
      return { hash, commit: this.inventory.commits.get(hash) };
    });
    const known = tips.filter((tip): tip is Tip => tip.commit !== undefined);
    const events = new Map<Hash, readonly LedgerEvent[]>();
    for await (const found of withEvents(this.storage, known, this.inventory))
      if (found.events) events.set(found.tip.hash, found.events);
    for (const [at, rows] of groups.entries()) {
      const { hash, commit } = tips[at] as (typeof tips)[number];
      const expected = events.get(hash);
      if (this.#seen.has(hash)) this.#extra(rows);
      else if (commit && expected) this.#compare({ hash, commit }, expected, rows);
      else if (!commit && !(await this.#isNewer(hash))) this.#extra(rows);
      this.#seen.add(hash);
      await this.pace.step(this.#seen.size / this.#due.size);
    }
  }

  /** A commit that somebody makes meanwhile. */
  async #isNewer(hash: Hash): Promise<boolean> {
    return (await fetchWhole(this.storage, "commit", [hash])).size > 0;
  }

  #compare(tip: Tip, events: readonly LedgerEvent[], rows: readonly Touch[]): void {
    const left = [...rows];
    let inOrder = true;
    for (const [at, event] of events.entries()) {
      const found = left[0] && isOf(event, left[0]) ? 0 : left.findIndex((row) => isOf(event, row));
      const row = left[found];
      if (row) left.splice(found, 1);
      inOrder &&= row === rows[at];
      const made = this.#maker.make(event, tip, row);
      if (!row) this.findings.add("touch-missing", placeOf(tip.hash, event));
      else if (!isSame(row, made)) this.findings.add("touch-different", placeOf(tip.hash, event));
    }
    this.#extra(left);
    if (!inOrder && left.length === 0 && rows.length === events.length)
      this.findings.add("touch-misplaced", tip.hash);
  }

  #extra(rows: readonly Touch[]): void {
    for (const row of rows) this.findings.add("touch-extra", placeOf(row.commit, row));
  }
}
