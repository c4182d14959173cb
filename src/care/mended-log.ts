import type { Hash, Timestamp } from "../core/base/index.js";
import { type Encoded, encodeObject, GENESIS, type Operation, SYSTEM } from "../core/ledger/index.js";
import type { Ref } from "../storage/index.js";

type Move = Operation["refs"][number];

/** Where an operation takes a ref up elsewhere than the one before it left it. */
export interface Gap {
  readonly name: string;
  /** Where it was left, and where it is taken up. */
  readonly left?: Hash;
  readonly taken?: Hash;
}

/** Follows every ref through a log, oldest first, and tells where it has lost something. */
export class Places {
  readonly #places = new Map<string, Hash | undefined>();

  take({ refs }: Operation): Gap[] {
    const gaps: Gap[] = [];
    for (const { name, before, after } of refs) {
      const left = this.#places.get(name);
      // The first branch begins at the constant first commit, before there is a ref.
      const isFirst = !this.#places.has(name) && before === GENESIS.hash;
      if (before !== left && !isFirst)
        gaps.push({ name, ...(left && { left }), ...(before && { taken: before }) });
      this.#places.set(name, after);
    }
    return gaps;
  }

  /** Those that the log left somewhere. */
  get left(): ReadonlyMap<string, Hash> {
    return new Map([...this.#places].filter((entry): entry is [string, Hash] => entry[1] !== undefined));
  }
}

/**
 * The log of a repaired store: what was found, and an operation of the repair itself wherever something is missing, so that
 * each ref can be followed to where it is now.
 */
export function mendLog(
  found: readonly (readonly [Hash, Operation])[],
  refs: ReadonlyMap<string, Ref>,
  now: Timestamp,
): { readonly ops: readonly Hash[]; readonly made: readonly Encoded<"operation">[] } {
  const ops: Hash[] = [];
  const made: Encoded<"operation">[] = [];
  const say = (moves: readonly Move[], time: Timestamp) => {
    if (moves.length === 0) return;
    const operation = encodeObject("operation", { author: SYSTEM, refs: moves, time, v: 1, verb: "repair" });
    made.push(operation);
    ops.push(operation.hash);
  };
  const places = new Places();
  for (const [hash, operation] of found) {
    const moves = places.take(operation).map(({ name, left, taken }) => moveOf(name, left, taken));
    say(moves, operation.time);
    ops.push(hash);
  }
  const { left } = places;
  const moves = [...new Set([...left.keys(), ...refs.keys()])]
    .map((name) => moveOf(name, left.get(name), refs.get(name)?.target))
    .filter(({ before, after }) => before !== after);
  say(moves, found.at(-1)?.[1].time ?? now);
  return { ops, made };
}

const moveOf = (name: string, before: Hash | undefined, after: Hash | undefined): Move => ({
  name,
  ...(before && { before }),
  ...(after && { after }),
});
