import type { Hash } from "../base/index.js";
import type { Tip } from "./commit.js";
import type { Commit } from "./types.js";

const LEFT = 1;
const RIGHT = 2;
const BOTH = LEFT | RIGHT;
/** Below a base that was found: common too, but older than need be. */
const OLDER = 4;

/**
 * The youngest common ancestors of two sets of commits, by (generation, hash). Every commit is looked at after all
 * its children, because generations are; it asks for commits by yielding their hash.
 */
export function* mergeBases(
  left: readonly Tip[],
  right: readonly Tip[],
): Generator<Hash, readonly Tip[], Commit> {
  const marks = new Map<Hash, number>();
  const waiting = new Waiting();
  let open = 0;
  const reach = (tip: Tip, mark: number) => {
    const known = marks.get(tip.hash);
    if (known === undefined) waiting.add(tip);
    // `open` counts those that wait and are not known to be older than a base.
    if (known === undefined && !(mark & OLDER)) open++;
    if (known !== undefined && !(known & OLDER) && mark & OLDER) open--;
    marks.set(tip.hash, (known ?? 0) | mark);
  };
  for (const tip of left) reach(tip, LEFT);
  for (const tip of right) reach(tip, RIGHT);
  const bases: Tip[] = [];
  while (open > 0) {
    const tip = waiting.take();
    if (!tip) break;
    let mark = marks.get(tip.hash) as number;
    if (!(mark & OLDER)) {
      open--;
      if (mark === BOTH) {
        bases.push(tip);
        mark |= OLDER;
      }
    }
    for (const parent of tip.commit.parents) reach({ hash: parent, commit: yield parent }, mark);
  }
  return bases.sort(byAge);
}

/** The order in which several bases are joined, whichever side asks. */
const byAge = (a: Tip, b: Tip): number =>
  a.commit.generation - b.commit.generation || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0);

/** Commits by generation, the youngest first. */
class Waiting {
  readonly #byGeneration = new Map<number, Tip[]>();
  #generations: number[] = [];

  add(tip: Tip): void {
    const { generation } = tip.commit;
    const known = this.#byGeneration.get(generation);
    if (known) {
      known.push(tip);
      return;
    }
    this.#byGeneration.set(generation, [tip]);
    // Parents are nearly always the next younger: the place is found near the end.
    let at = this.#generations.length;
    while (at > 0 && (this.#generations[at - 1] as number) > generation) at--;
    this.#generations.splice(at, 0, generation);
  }

  take(): Tip | undefined {
    const generation = this.#generations.at(-1);
    if (generation === undefined) return undefined;
    const tips = this.#byGeneration.get(generation) as Tip[];
    const tip = tips.pop();
    if (tips.length === 0) {
      this.#byGeneration.delete(generation);
      this.#generations.pop();
    }
    return tip;
  }
}
