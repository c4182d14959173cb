import type { Hash, MemoryId } from "../../core/base/index.js";
import { clears, type MemoryRecord, type Sensitivity, sensitivityOf } from "../../core/ledger/index.js";

/** The last child of a parent, for each level of sensitivity. */
type Ends = ReadonlyMap<Sensitivity, { readonly id: MemoryId; readonly position: string }>;

/** More parents than this are not remembered: the next child of one is placed by looking at its siblings. */
const MOST = 1_000;

/**
 * Where the children of parents end, so that placing one more need not read all of them. A place is a bound: nothing
 * visible lies behind it, though what lay there may be gone. It holds for one state; a draft passes on what it knows
 * to a state that goes on from the one it left.
 */
export class ChildEnds {
  readonly #known: ReadonlyMap<string, Ends>;
  readonly #own = new Map<string, Ends>();

  constructor(known: ReadonlyMap<string, Ends> = new Map()) {
    this.#known = known;
  }

  /** The place of the last child that a clearance sees; undefined when that is not known without `id`. */
  after(parent: string, clearance: Sensitivity, id: MemoryId): { readonly position?: string } | undefined {
    const ends = this.#of(parent);
    if (!ends) return undefined;
    let last: string | undefined;
    for (const [sensitivity, end] of ends) {
      if (!clears(clearance, sensitivity)) continue;
      if (end.id === id) return undefined;
      if (last === undefined || end.position > last) last = end.position;
    }
    return last === undefined ? {} : { position: last };
  }

  /** All children of a parent. */
  learn(parent: string, children: Iterable<MemoryRecord>): void {
    this.#own.set(parent, raised(new Map(), children));
  }

  /** One more child of a parent. */
  add(parent: string, child: MemoryRecord): void {
    const ends = this.#of(parent);
    if (ends) this.#own.set(parent, raised(ends, [child]));
  }

  #of(parent: string): Ends | undefined {
    return this.#own.get(parent) ?? this.#known.get(parent);
  }

  /** What is known now, for the state this one became. */
  passedOn(): ReadonlyMap<string, Ends> {
    if (this.#own.size === 0) return this.#known;
    const all = new Map([...this.#known, ...this.#own]);
    return all.size > MOST ? new Map(this.#own) : all;
  }
}

/** The ends that the last writer left, and the state they hold for. */
export interface KnownEnds {
  readonly at: Hash;
  readonly ends: ReadonlyMap<string, Ends>;
}

function raised(ends: Ends, children: Iterable<MemoryRecord>): Ends {
  const next = new Map(ends);
  for (const child of children) {
    const { id, position = "" } = child;
    const sensitivity = sensitivityOf(child);
    const last = next.get(sensitivity);
    if (last === undefined || position >= last.position) next.set(sensitivity, { id, position });
  }
  return next;
}
