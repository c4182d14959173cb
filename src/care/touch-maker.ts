import { type Hash, HashSet } from "../core/base/index.js";
import {
  type Commit,
  countersBefore,
  type LedgerEvent,
  type Tip,
  type Touch,
  touchOf,
} from "../core/ledger/index.js";
import { KeyRows } from "./key-rows.js";
import type { Inventory } from "./objects.js";

/** Makes touch rows again from commits, changesets and records, in the order in which they were made. */
export class TouchMaker {
  readonly #rows = new KeyRows();
  /** Does no commit have two children? */
  readonly isLinear: boolean;

  constructor(readonly inventory: Inventory) {
    this.isLinear = areAllDifferent(parentsOf(inventory.commits.values()));
  }

  /** The row of an event; `stored` is what is kept of it, if there is anything. */
  make(event: LedgerEvent, tip: Tip, stored: Touch | undefined): Touch {
    const made = this.#derive(event, tip, stored);
    this.#rows.add(made);
    return made;
  }

  /** The row as it has to be. What only an erased or damaged record could tell is taken from the stored row. */
  #derive(event: LedgerEvent, tip: Tip, row: Touch | undefined): Touch {
    const from = event.after === undefined ? undefined : (this.inventory.details(event.after) ?? row);
    const details = from && { sensitivity: from.sensitivity, links: from.links };
    const known = this.#rows.of(event.scope, event.id);
    const made = { ...touchOf(event, undefined, tip, countersBefore(known, event.before)), ...details };
    if (this.isLinear || !row || isSame(row, made)) return made;
    // Where histories fork, the version an event goes on from may not be the one that was stored last; nor need it be
    // the replaced one where two lines are joined.
    const isMerge = tip.commit.parents.length > 1;
    const others = [...this.#rows.of(event.scope, event.id)].filter(
      ({ record }) => isMerge || event.before === undefined || record === event.before,
    );
    // Elsewhere a memory may never have been.
    const priors = event.before === undefined ? [undefined, ...others] : others;
    const possible = priors.map((prior) => ({ ...touchOf(event, undefined, tip, prior), ...details }));
    return possible.find((other) => isSame(row, other)) ?? made;
  }
}

function* parentsOf(commits: Iterable<Commit>): Generator<Hash> {
  for (const { parents } of commits) yield* parents;
}

function areAllDifferent(hashes: Iterable<Hash>): boolean {
  const seen = new HashSet();
  for (const hash of hashes) if (!seen.add(hash)) return false;
  return true;
}

/** Neighbours of one commit together, added to groups that were begun. */
export function byCommit(rows: readonly Touch[], groups: Touch[][] = []): Touch[][] {
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.commit === row.commit) last.push(row);
    else groups.push([row]);
  }
  return groups;
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
