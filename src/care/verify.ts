import { type Hash, isHash, MAIN, PalimpsestError } from "../core/base/index.js";
import {
  type Commit,
  GENESIS_TIP,
  type LedgerEvent,
  type Operation,
  type Tip,
  type Touch,
} from "../core/ledger/index.js";
import type { Ref, Storage } from "../storage/index.js";
import { checkChain, checkOperations, type Erased, reachCommits, readLog } from "./chain.js";
import { CheckpointNodes } from "./checkpoint-nodes.js";
import { type Inventory, takeInventory } from "./objects.js";
import type { VerifyOptions } from "./options.js";
import { Pace } from "./pace.js";
import { Findings, type VerifyProblem } from "./problems.js";
import { attempt, fetchWhole, readSnapshot } from "./reads.js";
import { byCommit, isOf, isSame, TouchMaker } from "./rebuild.js";
import { placeOf, States, withEvents } from "./states.js";

export interface VerifyReport {
  /** Nothing was found: no error, no warning; notes are no findings. */
  readonly ok: boolean;
  /** Root of the state of `main`; empty when its commit cannot be read. */
  readonly root: string;
  /** The commit that `main` points to. Worth keeping: see `since`. */
  readonly head: string;
  readonly objects: number;
  /** Commits that refs lead to, the constant first one included. */
  readonly commits: number;
  /** Live on `main`. */
  readonly memories: number;
  /** Records and notes that are gone because they were erased. */
  readonly erased: number;
  readonly problems: readonly VerifyProblem[];
  /** What was found of what was kept, if something was given. */
  readonly since?: SinceReport;
}

/** An erase takes objects away under a running check, which then begins anew. */
const ROUNDS = 3;

/**
 * Is everything whole? Re-hashes every object, folds the whole history again and makes every derived row again,
 * reading past all caches. Goes on after each problem and never throws because of damage; only a store that
 * cannot be opened, is closed or stays locked is an error. Other processes may write meanwhile.
 */
export async function verifyStore(storage: Storage, options: VerifyOptions): Promise<VerifyReport> {
  const since = options.since === undefined ? undefined : parseSince(options.since);
  for (let round = 1; ; round++) {
    const { epoch } = await storage.version();
    const report = await verifyOnce(storage, since, new Pace(options.onProgress), false);
    if (round === ROUNDS || (await storage.version()).epoch === epoch) return report;
  }
}

/**
 * The same of a store that was just filled and that nobody else has yet; the states that readers start from are stored,
 * because they are all folded on the way.
 */
export const verifyFilled = (storage: Storage): Promise<VerifyReport> =>
  verifyOnce(storage, undefined, new Pace(undefined), true);

async function verifyOnce(
  storage: Storage,
  kept: Hash | undefined,
  pace: Pace,
  isFilling: boolean,
): Promise<VerifyReport> {
  const findings = new Findings();
  const { seq, refs: readable } = await readSnapshot(storage, findings);
  const refs = readable ?? new Map();
  const log = await readLog(storage, seq, findings);
  pace.stretch(0, 0.6);
  const inventory = await takeInventory(storage, seq, findings, pace);
  const chain = checkChain(refs, inventory, findings);
  pace.stretch(0.6, 0.9);

  const since = kept === undefined ? undefined : new Since(kept, refs, inventory.commits);
  const writings = new Writings(inventory, chain.erased, findings);
  const head = refs.get(`heads/${MAIN}`)?.target ?? GENESIS_TIP.hash;
  const states = new States(storage, chain, inventory, findings, since?.watcher);
  const nodes = isFilling ? new CheckpointNodes(storage, chain, inventory) : undefined;
  let memories = 0;
  let followed = 0;
  for await (const { tip, events } of withEvents(storage, chain.order, inventory)) {
    if (!events) findings.add("changeset-missing", tip.hash);
    writings.check(tip, events ?? []);
    writings.checkNote(tip.commit.note, [tip.hash]);
    const isKnown = await states.advance(tip, events);
    if (isKnown && tip.hash === head) memories = states.count(tip.commit.root);
    if (isKnown && nodes) await nodes.keep(tip, states);
    await pace.step(++followed / chain.order.length);
  }
  states.clear();
  since?.report(findings);

  for await (const operation of checkOperations(storage, log ?? [], log && readable, inventory, findings))
    writings.checkOperation(operation);
  pace.stretch(0.9, 1);
  await new TouchRows(storage, inventory, chain.order, seq, findings, pace).check();
  await attempt(findings, "storage-unreadable", async () => {
    for await (const problem of storage.check()) findings.take(problem);
  });
  if (inventory.unreached > 0) findings.add("unreachable-objects", `${inventory.unreached} objects`);
  pace.end();
  return {
    ok: findings.ok,
    root: (head === GENESIS_TIP.hash ? GENESIS_TIP.commit : inventory.commits.get(head))?.root ?? "",
    head,
    objects: inventory.objects,
    commits: chain.order.length,
    memories,
    erased: writings.gone.size,
    problems: findings.list(),
    ...(since && { since: since.answer }),
  };
}

/** What was found of something that was kept, and what that says. */
export interface SinceReport {
  readonly kept: string;
  /** What it is in the history of the branches. */
  readonly is: "commit" | "state" | "scope" | "unknown";
  /** The branches that rest on it, of a commit. */
  readonly branches?: readonly string[];
  /** Does it show that nothing before it was changed? Only a commit does. */
  readonly provesHistory: boolean;
  /** The same in a sentence. */
  readonly says: string;
}

const HEADS = "heads/";

/**
 * Looks for what somebody kept: a commit, the root of a state or the root of a scope, in the history of the branches.
 * Scope roots are in no commit; they come up while states are folded. A commit has all that was before it in its hash; a
 * root has a state in it, and many histories can lead to one state.
 */
class Since {
  readonly #kept: Hash;
  readonly #heads: readonly (readonly [branch: string, head: Hash])[];
  readonly #history: ReadonlyMap<Hash, Commit>;
  #is: SinceReport["is"];

  constructor(kept: Hash, refs: ReadonlyMap<string, Ref>, commits: ReadonlyMap<Hash, Commit>) {
    this.#kept = kept;
    // A store without a first write stands at the first commit, although it is not stored yet.
    const isNew = refs.size === 0;
    this.#heads = isNew
      ? [[MAIN, GENESIS_TIP.hash]]
      : [...refs].flatMap(([name, { target }]) =>
          name.startsWith(HEADS) ? [[name.slice(HEADS.length), target] as const] : [],
        );
    this.#history = isNew
      ? new Map([[GENESIS_TIP.hash, GENESIS_TIP.commit]])
      : reachCommits(
          this.#heads.map(([, head]) => head),
          commits,
        );
    if (this.#history.has(kept)) this.#is = "commit";
    else this.#is = [...this.#history.values()].some(({ root }) => root === kept) ? "state" : "unknown";
  }

  /** Undefined when there is nothing left to look for. */
  get watcher(): ((tip: Tip, roots: Iterable<Hash>) => void) | undefined {
    if (this.#is !== "unknown") return undefined;
    return (tip, roots) => {
      if (this.#is !== "unknown" || !this.#history.has(tip.hash)) return;
      for (const root of roots) if (root === this.#kept) this.#is = "scope";
    };
  }

  report(findings: Findings): void {
    if (this.#is === "unknown") findings.add("HISTORY_CHANGED", this.#kept);
  }

  get answer(): SinceReport {
    const [kept, is] = [this.#kept, this.#is];
    if (is !== "commit") return { kept, is, provesHistory: false, says: SAYS[is] };
    const branches = this.#branches();
    const apart = branches.includes(MAIN) ? "" : `, but not of ${MAIN}`;
    const says = `This commit is in the history of ${named(branches)}${apart}: nothing before it was changed.`;
    return { kept, is, branches, provesHistory: true, says };
  }

  /** Not every branch rests on it: one may have been rewritten while another still has the old line. */
  #branches(): string[] {
    const children = new Map<Hash, Hash[]>();
    for (const [hash, { parents }] of this.#history)
      for (const parent of parents) {
        const known = children.get(parent);
        if (known) known.push(hash);
        else children.set(parent, [hash]);
      }
    const above = new Set<Hash>([this.#kept]);
    // A set goes on over what is added while it is walked.
    for (const hash of above) for (const child of children.get(hash) ?? []) above.add(child);
    return this.#heads.flatMap(([branch, head]) => (above.has(head) ? [branch] : [])).sort();
  }
}

const ONLY = "does not tell how it came about, for two histories can end in one; a whole commit does";
const SAYS = {
  state: `This state was there. That is all that its root shows: it ${ONLY}.`,
  scope: `A scope with this content was there. That is all that its root shows: it ${ONLY}.`,
  unknown: "It is neither a commit, nor the root of a state or scope, in the history of any branch.",
} as const;

/** A store can have thousands. */
const NAMED = 3;
const named = (branches: readonly string[]): string =>
  branches.length <= NAMED
    ? branches.join(", ")
    : `${branches.slice(0, NAMED).join(", ")} and ${branches.length - NAMED} more`;

/** The beginning of a hash shows nothing: a commit that begins so is soon made by trying. */
function parseSince(given: string): Hash {
  const kept = given.trim().toLowerCase();
  if (isHash(kept)) return kept;
  throw new PalimpsestError(
    "INVALID_HASH",
    `Not a whole commit or root: ${JSON.stringify(given.slice(0, 80).toWellFormed())}.`,
    {
      hint: /^[0-9a-f]{7,63}$/.test(kept)
        ? "The beginning of a hash can be met by trying, so it shows nothing. Give all 64 digits; `pal verify` and `pal backup` print the whole commit to keep."
        : "Give a whole commit, 64 hexadecimal digits, as `pal verify` and `pal backup` print it.",
    },
  );
}

/** What callers wrote (records and notes) must be there, unless a tombstone says that it was erased. */
class Writings {
  /** Records and notes that are gone because somebody erased them. */
  readonly gone = new Set<Hash>();
  /** Commits that touched an erased key: their notes went with it. */
  readonly #touched = new Set<Hash>();

  constructor(
    readonly inventory: Inventory,
    readonly erased: Erased,
    readonly findings: Findings,
  ) {}

  check(tip: Tip, events: readonly LedgerEvent[]): void {
    for (const event of events) {
      if (event.after !== undefined) this.#checkRecord(event, event.after);
      if (this.erased.keys.has(event.scope + event.id)) this.#touched.add(tip.hash);
    }
  }

  /** After `check`, because it is the events that tell whether a note may be gone. */
  checkNote(note: Hash | undefined, commits: readonly Hash[]): void {
    if (note === undefined) return;
    this.inventory.reach(note);
    if (this.inventory.has("note", note)) return;
    if (this.erased.records.has(note) || commits.some((commit) => this.#touched.has(commit)))
      this.gone.add(note);
    else this.findings.add("note-missing", note);
  }

  checkOperation({ note, refs }: Operation): void {
    this.checkNote(
      note,
      refs.flatMap(({ after }) => after ?? []),
    );
  }

  #checkRecord(event: LedgerEvent, record: Hash): void {
    this.inventory.reach(record);
    if (this.inventory.has("memory", record)) {
      if (!this.inventory.isRecordOf(record, event.scope, event.id))
        this.findings.add("record-misplaced", record);
    } else if (this.erased.records.has(record)) this.gone.add(record);
    else this.findings.add("record-missing", record);
  }
}

const PAGE = 2048;

/** Makes every touch row again from commit, changeset and records, and compares it with the stored one. */
class TouchRows {
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
