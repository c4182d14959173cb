/** Runs one piece of work at a time, in the order of asking. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export function mutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.catch(() => undefined);
    return run;
  };
}
