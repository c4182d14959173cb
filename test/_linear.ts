/**
 * Is a history of reads and compare-and-swaps of one ref linearizable: is there one order of all of them, within the
 * times each took, in which every answer is right?
 *
 * Every swap writes a value of its own and names the one it replaces. So the successful swaps can only have happened
 * in one order, the chain of their values, and it is enough to find a moment for each: the earliest that is
 * possible is the best for all that follow.
 */
export interface RefCall {
  readonly start: number;
  /** Infinity for a call whose caller was killed before the answer. */
  readonly end: number;
  readonly kind: "read" | "swap";
  /** What was read, or what a swap wants to write; null is no ref. */
  readonly value: string | null;
  /** What a swap expects. */
  readonly expect?: string | null;
  /** "stale": the ref was something else. "unknown": killed before the answer, it may have happened or not. */
  readonly result: "ok" | "stale" | "unknown";
}

/** Why it is not linearizable, or undefined. `last` is what the ref holds at the end. */
export function notLinearizable(calls: readonly RefCall[], last: string | null): string | undefined {
  const swaps = new Map<string | null, RefCall>();
  for (const call of calls) {
    if (call.kind !== "swap" || call.result === "stale") continue;
    const rival = swaps.get(call.expect ?? null);
    if (rival?.result === "ok" && call.result === "ok") return `${call.expect} was replaced twice`;
    // Of a known and an unknown swap of one value the known one happened; of two unknown ones what was seen tells.
    if (!rival || call.result === "ok" || isSeen(calls, call.value, last))
      if (rival?.result !== "ok") swaps.set(call.expect ?? null, call);
  }
  const chain: RefCall[] = [];
  for (let at: string | null = null; chain.length <= calls.length; ) {
    const next = swaps.get(at);
    if (!next || (next.result === "unknown" && !isSeen(calls, next.value, last))) break;
    chain.push(next);
    at = next.value;
  }
  if ((chain.at(-1)?.value ?? null) !== last) return `it ends with ${last}, not ${chain.at(-1)?.value}`;
  const known = calls.filter(({ kind, result }) => kind === "swap" && result === "ok");
  const lost = known.find((call) => !chain.includes(call));
  if (lost) return `the swap to ${lost.value} was acknowledged and is lost`;
  return placeAll(calls, chain);
}

const isSeen = (calls: readonly RefCall[], value: string | null, last: string | null): boolean =>
  value === last ||
  calls.some(
    (call) =>
      (call.kind === "read" && call.value === value) ||
      (call.kind === "swap" && call.result === "ok" && call.expect === value),
  ) ||
  calls.some(
    (call) =>
      call.kind === "swap" &&
      call.result === "unknown" &&
      call.expect === value &&
      call.value !== value &&
      isSeen(calls, call.value, last),
  );

/**
 * Finds the earliest moment of every swap. A refused one was asked before its value came or after it went; where the
 * earliest moments leave no time after, it must have been before, and that value comes no earlier than the question.
 */
function placeAll(calls: readonly RefCall[], chain: readonly RefCall[]): string | undefined {
  const values = [null, ...chain.map(({ value }) => value)];
  const reads = calls.filter(({ kind }) => kind === "read");
  const refused = calls.filter(({ kind, result }) => kind === "swap" && result === "stale");
  const notBefore = values.map(() => Number.NEGATIVE_INFINITY);
  for (;;) {
    const moments = [Number.NEGATIVE_INFINITY];
    for (const [at, swap] of chain.entries()) {
      const readBefore = reads.filter(({ value }) => value === values[at]).map(({ start }) => start);
      const moment = Math.max(moments[at]!, swap.start, notBefore[at + 1]!, ...readBefore);
      if (moment > swap.end) return `${values[at]} was there after ${swap.value} had replaced it`;
      moments.push(moment);
    }
    for (const { value, end } of reads) {
      if (!values.includes(value)) return `${value} was read and never written`;
      if (moments[values.indexOf(value)]! > end) return `${value} was read before it was written`;
    }
    const forced = refused.find(({ expect = null, start, end }) => {
      const at = values.indexOf(expect);
      return at >= 0 && start > moments[at]! && end < (moments[at + 1] ?? Number.POSITIVE_INFINITY);
    });
    if (!forced) return undefined;
    const at = values.indexOf(forced.expect ?? null);
    if (at === 0) return "a swap of nothing was refused while there was nothing";
    notBefore[at] = forced.start;
  }
}
