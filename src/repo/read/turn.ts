/** How long writes may follow each other before timers and sockets get their turn. */
const TURN_MS = 10;

let start = 0;

/**
 * Something to wait for when this turn of the event loop has lasted long, else undefined: waiting at every step
 * would cost more than most steps. One count for the whole process, because it has one event loop.
 */
export function giveWay(): Promise<void> | undefined {
  const now = performance.now();
  if (start === 0) {
    start = now;
    setImmediate(() => {
      start = 0;
    });
  } else if (now - start > TURN_MS) return new Promise((resume) => setImmediate(resume));
  return undefined;
}

/** To be called at every step of long work; answers a promise when it is time to wait for it. */
export type Look = () => Promise<void> | undefined;

/** Lets the program have its turns, and calls back at each: the callback may end the work by throwing. */
export const looking =
  (tell: () => void): Look =>
  () =>
    giveWay()?.then(tell);

/** The same items, looking up after each. */
export async function* attentive<T>(items: AsyncIterable<T>, look: Look): AsyncGenerator<T> {
  for await (const item of items) {
    yield item;
    const turn = look();
    if (turn) await turn;
  }
}
