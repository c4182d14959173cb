/** Long work in steps: its caller may do something else between two. */
export type Steps<T> = Generator<undefined, T>;

/** So many numbers at a time take a few milliseconds. */
const SLICE = 8192;

/** Does something with the numbers below `count`, a slice at a time. */
export function* inSlices(count: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < count; from += SLICE) {
    work(from, Math.min(count, from + SLICE));
    yield;
  }
}

/** Takes all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
