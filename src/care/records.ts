import type { Hash } from "../core/base/index.js";
import type { LedgerEvent, Operation, Tip } from "../core/ledger/index.js";
import type { Erased } from "./chain.js";
import type { Inventory } from "./objects.js";
import type { Findings } from "./problems.js";

/** What callers wrote (records and notes) must be there, unless a tombstone says that it was erased. */
export class Writings {
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
