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
