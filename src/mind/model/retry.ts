import { setTimeout as sleep } from "node:timers/promises";

/** Something that may pass: the caller may try again, at the earliest after so long. */
export class Transient extends Error {
  constructor(
    message: string,
    readonly afterMs?: number,
  ) {
    super(message);
  }
}

export interface Patience {
  /** How often it is tried at most; default 3. */
  readonly tries?: number;
  /** The first pause; each further one is twice as long, with some chance in it. Default 500. */
  readonly pauseMs?: number;
  /** No pause is longer, whatever a service asks for; default 20,000. */
  readonly mostMs?: number;
}

/** Tries until it works, fails for good, or patience ends. */
export async function patiently<T>(
  run: () => Promise<T>,
  { tries = 3, pauseMs = 500, mostMs = 20_000 }: Patience,
  signal?: AbortSignal,
): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      signal?.throwIfAborted();
      return await run();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Transient) || tried >= tries) throw error;
      const pause = error.afterMs ?? pauseMs * 2 ** (tried - 1) * (0.75 + Math.random() / 2);
      // A service that asks to be left alone for longer than we would wait gets its wish at once.
      if (pause > mostMs) throw error;
      await sleep(pause, undefined, signal ? { signal } : {});
    }
}
