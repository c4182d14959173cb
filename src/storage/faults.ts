import { type ErrorCode, PalimpsestError } from "../core/base/index.js";
import type { Storage } from "./port.js";

/** What goes wrong, and at which call of the storage (the first is 1). */
export interface FaultPlan {
  /** This call fails; with `forEver` all later ones too. */
  readonly failAt?: number;
  readonly forEver?: boolean;
  /** Default STORE_IO; a full disk is STORE_FULL, a lost permission STORE_READONLY, a lock STORE_BUSY. */
  readonly code?: ErrorCode;
  /** The power goes at this call: it and all later ones do nothing and never succeed. */
  readonly cutAt?: number;
  /** The failing or cut call still reaches the storage; only its answer is lost. */
  readonly answerLost?: boolean;
  /** Turns of the event loop to wait before a call, so that calls overtake each other. */
  readonly delay?: (call: number, method: string) => number;
}

/** Methods that answer a promise; reading the rest cannot fail. */
const CALLS = new Set<string | symbol>([
  ...["exists", "get", "getMany", "missing", "ref", "refs", "transact", "exclusive", "version", "touchOf"],
  ...[
    "touchLinked",
    "touchSince",
    "touchBefore",
    "opsBefore",
    "remove",
    "side",
    "setSide",
    "tend",
    "diagnose",
    "close",
  ],
  ...["vectors", "putVectors", "removeVectors", "sides", "scrub", "size", "compact", "rebuild"],
]);

/**
 * A storage that fails where a test says so, around any real one: for tests of everything above it. One counter over all calls
 * makes every moment of a verb reachable: fail call 1, 2, 3 … until the verb gets through.
 */
export function withFaults(storage: Storage, plan: FaultPlan): Storage & { readonly calls: number } {
  let calls = 0;
  const broken = (call: number): boolean => {
    const { failAt, cutAt, forEver = false } = plan;
    return (
      call === failAt || (forEver && failAt !== undefined && call > failAt) || call >= (cutAt ?? Infinity)
    );
  };
  const around =
    (method: string, run: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      const call = ++calls;
      for (let turns = plan.delay?.(call, method) ?? 0; turns > 0; turns--)
        await new Promise((resume) => setImmediate(resume));
      if (!broken(call)) return run(...args);
      const isFirst = call === plan.failAt || call === plan.cutAt;
      if (plan.answerLost && isFirst) await run(...args).catch(() => undefined);
      throw new PalimpsestError(plan.code ?? "STORE_IO", `The storage failed at call ${call} (${method}).`);
    };
  return new Proxy(storage, {
    get(target, name) {
      if (name === "calls") return calls;
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== "function") return member;
      const bound = (member as (...args: unknown[]) => Promise<unknown>).bind(target);
      return CALLS.has(name) ? around(String(name), bound) : bound;
    },
  }) as Storage & { readonly calls: number };
}
