import type { Verdict } from "../gate/index.js";

export interface BulkOptions {
  /** Told after each commit how many items are done. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** A snapshot is taken before many writes; false leaves it out, for a part of something larger. */
  readonly snapshot?: boolean;
}

const PER_COMMIT = 1_000;

/** Cuts many items into commits, letting other work happen in between. */
export async function bulk<T>(
  items: readonly T[],
  { onProgress, signal }: BulkOptions,
  commit: (part: readonly T[], at: number) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let at = 0; at < items.length; at += PER_COMMIT) {
    signal?.throwIfAborted();
    for (const verdict of await commit(items.slice(at, at + PER_COMMIT), at)) verdicts.push(verdict);
    onProgress?.(verdicts.length, items.length);
  }
  return verdicts;
}
