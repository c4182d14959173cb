/** Runs one piece of work at a time, in the order of asking. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export function mutex(): Mutex {
  const waiting: (() => void)[] = [];
  let taken = false;
  return async (work) => {
    if (taken) await new Promise<void>((turn) => waiting.push(turn));
    taken = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else taken = false;
    }
  };
}
