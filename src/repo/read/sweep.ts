import type { Hash } from "../../core/base/index.js";
import type { MemoryRecord } from "../../core/ledger/index.js";
import type { Reader } from "./reader.js";

/** Fewer are looked up by their hashes. */
const FEW = 500;
/** Transactions read at a time; between two such spans others get their turn. */
const SPAN = 16;

export type Records = ReadonlyMap<Hash, MemoryRecord>;

/** What is still to be read: a set of hashes, or what takes less room than one. */
export interface Sought {
  readonly size: number;
  has(hash: Hash): boolean;
  delete(hash: Hash): unknown;
  keys(): Iterable<Hash>;
}

/**
 * Reads many records, a part at a time, in whatever order is cheapest: as they were written, since looking up each by
 * its hash takes ten times as long. What was read is sought no more; those that cannot be read are in no part.
 */
export async function* sweep(reader: Reader, sought: Sought): AsyncGenerator<Records> {
  const seq = sought.size > FEW ? (await reader.version()).seq : 0;
  for (let after = 0; after < seq && sought.size > FEW; after += SPAN) {
    const range = { after, upTo: after + SPAN };
    const found = await reader.gather(["memory"], range, (hash) => sought.has(hash));
    for (const hash of found.keys()) sought.delete(hash);
    yield found as Records;
    await new Promise((resume) => setImmediate(resume));
  }
  if (sought.size === 0) return;
  let rest: Hash[] = [];
  for (const hash of sought.keys())
    if (rest.push(hash) === FEW) {
      yield await reader.values("memory", rest);
      rest = [];
    }
  if (rest.length > 0) yield await reader.values("memory", rest);
}
