import { countersBefore, type LedgerEvent, type Tip, type Touch, touchOf } from "../ledger/index.js";
import type { Inventory } from "./objects.js";

/** Makes touch rows again from commits, changesets and records, in the order in which they were made. */
export class TouchMaker {
  readonly #rows = new Map<string, Touch[]>();
  readonly #linear: boolean;

  constructor(readonly inventory: Inventory) {
    const parents = [...inventory.commits.values()].flatMap((commit) => commit.parents);
    this.#linear = new Set(parents).size === parents.length;
  }

  /** The row of an event; `stored` is what is kept of it, if there is anything. */
  make(event: LedgerEvent, tip: Tip, stored: Touch | undefined): Touch {
    const known = this.#rowsOf(event);
    const made = this.#derive(event, tip, known, stored);
    known.push(made);
    return made;
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

export const isOf = (event: LedgerEvent, row: Touch): boolean =>
  row.id === event.id && row.scope === event.scope && row.op === event.op && row.record === event.after;

export function isSame(a: Touch, b: Touch): boolean {
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
