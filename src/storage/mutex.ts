/** Runs one piece of work at a time, in the order of asking; at once, and without a promise, where it can. */
export interface Mutex {
  <T>(work: () => Promise<T>): Promise<T>;
  <T>(work: () => T | Promise<T>): T | Promise<T>;
}

export function mutex(): Mutex {
  const waiting: (() => void)[] = [];
  let taken = false;
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else taken = false;
  };
  const enter = async <T>(work: () => T | Promise<T>): Promise<T> => {
    await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work();
    } finally {
      leave();
    }
  };
  const alone = <T>(work: () => T | Promise<T>): T | Promise<T> => {
    if (taken) return enter(work);
    taken = true;
    let isLeaving = false;
    try {
      const result = work();
      if (!(result instanceof Promise)) return result;
      isLeaving = true;
      return result.finally(leave);
    } finally {
      if (!isLeaving) leave();
    }
  };
  return alone as Mutex;
}
