import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 20;

/**
 * Counts the steps of a long check, tells of them, and lets the rest of the program have its turns: not least the signs of
 * life of a lease under which it is done.
 */
export class Pace {
  #done = 0;
  #total: number | undefined;
  #last = performance.now();
  readonly #tell: (done: number, total: number | undefined) => void;

  constructor(tell: ((done: number, total: number | undefined) => void) | undefined) {
    this.#tell = tell ?? (() => {});
  }

  /** From here on it is known how many steps are left. */
  expect(steps: number): void {
    this.#total = this.#done + steps;
  }

  /** Answers a promise only when it is time to pause, because awaiting each step would cost more than the step. */
  step(): Promise<void> | undefined {
    this.#done++;
    if (this.#done % 16 !== 0 || performance.now() - this.#last < TURN_MS) return undefined;
    return this.#pause();
  }

  end(): void {
    this.#tell(this.#done, this.#done);
  }

  async #pause(): Promise<void> {
    this.#tell(this.#done, this.#total && Math.max(this.#total, this.#done));
    await nextTurn();
    this.#last = performance.now();
  }
}

/** Shorter ones would cost more than they hold up: each waits for the disk once. */
const SHORTEST_SLICE = 100;
const LONGEST_SLICE = 500;
const GOAL_MS = 100;

/**
 * Works through a list in slices, each of which may hold up the event loop and all writers: so their length follows what
 * the last one took. Between two of them the program has its turn, and `mayGoOn` is asked.
 */
export async function inSlices<T>(
  items: readonly T[],
  mayGoOn: () => boolean,
  work: (slice: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let at = 0, length = SHORTEST_SLICE; at < items.length && mayGoOn(); ) {
    const start = performance.now();
    await work(items.slice(at, at + length));
    at += length;
    const fitting = (length * GOAL_MS) / Math.max(performance.now() - start, 1);
    length = Math.max(SHORTEST_SLICE, Math.min(LONGEST_SLICE, length * 2, Math.round(fitting)));
    await nextTurn();
  }
}
