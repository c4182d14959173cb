import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 20;

/** Called with how far long work has come. It may end the work by throwing; what was done until then stays whole. */
export type OnProgress = (done: number, total: number | undefined) => void;

const ENDS = new WeakSet<object>();

/** Is it how a listener ended the work? Where a failing read is noted and passed over, that is not. */
export const isEnd = (error: unknown): boolean =>
  typeof error === "object" && error !== null && ENDS.has(error);

/**
 * Counts the steps of long work, tells of them, and lets the rest of the program have its turns: not least the signs of
 * life of a lease under which it is done.
 */
export class Pace {
  #done = 0;
  #from = 0;
  #to = 1;
  #part: number | undefined;
  #last = performance.now();
  readonly #listener: OnProgress | undefined;

  constructor(listener: OnProgress | undefined) {
    this.#listener = listener;
  }

  /** What follows is this stretch of the whole, by the time it takes; `step` gets how far along it the work is. */
  stretch(from: number, to: number): void {
    [this.#from, this.#to, this.#part] = [from, to, 0];
  }

  /** Tells of other work, with steps of its own, as of such a stretch. */
  within(from: number, to: number): OnProgress {
    const before = this.#done;
    return (done, total) => {
      this.stretch(from, to);
      this.#done = before + done;
      this.#tell(total === undefined ? undefined : done / total);
    };
  }

  /** Answers a promise only when it is time to pause, because awaiting each step would cost more than the step. */
  step(part = this.#part): Promise<void> | undefined {
    this.#done++;
    this.#part = part;
    return performance.now() - this.#last < TURN_MS ? undefined : this.#pause();
  }

  end(): void {
    this.stretch(1, 1);
    this.#tell(1);
  }

  async #pause(): Promise<void> {
    this.#tell(this.#part);
    // Who was called by an event has its next turn before the loop looks for new ones, such as Ctrl-C.
    await nextTurn();
    await nextTurn();
    this.#last = performance.now();
  }

  #tell(part: number | undefined): void {
    const whole = part === undefined ? 0 : this.#from + (this.#to - this.#from) * Math.min(1, part);
    try {
      this.#listener?.(
        this.#done,
        whole > 0 ? Math.max(this.#done, Math.round(this.#done / whole)) : undefined,
      );
    } catch (error) {
      // Nobody could know a text again that was thrown, as by a signal that was given one as its reason.
      const end =
        typeof error === "object" && error !== null ? error : new Error(String(error), { cause: error });
      ENDS.add(end);
      throw end;
    }
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
export async function inSlices<Slice>(
  items: { readonly length: number; slice(from: number, to: number): Slice },
  mayGoOn: () => boolean,
  work: (slice: Slice) => Promise<void>,
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
