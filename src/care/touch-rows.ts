import type { Hash } from "../base/index.js";
import {
  type Commit,
  countersBefore,
  type LedgerEvent,
  type Tip,
  type Touch,
  touchOf,
} from "../ledger/index.js";
import type { Storage } from "../storage/index.js";
import { withEvents } from "./changesets.js";
import type { Inventory } from "./objects.js";
import type { Pace } from "./pace.js";
import type { Findings } from "./problems.js";
import { attempt, fetchWhole } from "./reads.js";
import { placeOf } from "./states.js";

const PAGE = 2048;

/** Makes every touch row again from commit, changeset and records, and compares it with the stored one. */
export class TouchRows {
  readonly #rows = new Map<string, Touch[]>();
  readonly #seen = new Set<Hash>();
  /** Of these the rows must be there. */
  readonly #due: ReadonlySet<Hash>;
  readonly #linear: boolean;

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
    const parents = [...inventory.commits.values()].flatMap((commit) => commit.parents);
    this.#linear = new Set(parents).size === parents.length;
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
      for (const row of page.touch) {
        const last = groups.at(-1);
        if (last?.[0]?.commit === row.commit) last.push(row);
        else groups.push([row]);
      }
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
      await this.pace.step();
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
      const known = this.#rowsOf(event);
      const made = this.#derive(event, tip, known, row);
      known.push(made);
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

  #rowsOf({ scope, id }: LedgerEvent): Touch[] {
    const key = scope + id;
    const rows = this.#rows.get(key) ?? [];
    this.#rows.set(key, rows);
    return rows;
  }

  /** The row as it has to be. What only an erased or damaged record could tell is taken from the stored row. */
  #derive(event: LedgerEvent, tip: Tip, known: readonly Touch[], row: Touch | undefined): Touch {
    const facts = event.after === undefined ? undefined : this.inventory.records.get(event.after);
    const from = facts ?? (event.after === undefined ? undefined : row);
    const details = from && { sensitivity: from.sensitivity, links: from.links };
    const made = { ...touchOf(event, undefined, tip, countersBefore(known, event.before)), ...details };
    if (this.#linear || !row || isSame(row, made)) return made;
    // Where histories fork, the version an event goes on from may not be the one that was stored last; nor need it be
    // the replaced one where two lines are joined.
    const isMerge = tip.commit.parents.length > 1;
    const others = known.filter(
      ({ record }) => isMerge || event.before === undefined || record === event.before,
    );
    // Elsewhere a memory may never have been.
    const priors = event.before === undefined ? [undefined, ...others] : others;
    const possible = priors.map((prior) => ({ ...touchOf(event, undefined, tip, prior), ...details }));
    return possible.find((other) => isSame(row, other)) ?? made;
  }
}

const isOf = (event: LedgerEvent, row: Touch): boolean =>
  row.id === event.id && row.scope === event.scope && row.op === event.op && row.record === event.after;

function isSame(a: Touch, b: Touch): boolean {
  return (
    a.commit === b.commit &&
    a.generation === b.generation &&
    a.time === b.time &&
    a.author.kind === b.author.kind &&
    a.author.id === b.author.id &&
    a.version === b.version &&
    a.created === b.created &&
    a.sensitivity === b.sensitivity &&
    a.links.length === b.links.length &&
    a.links.every((link, at) => link === b.links[at])
  );
}
