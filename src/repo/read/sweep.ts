import type { Hash } from "../../core/base/index.js";
import type { MemoryRecord } from "../../core/ledger/index.js";
import type { Reader } from "./reader.js";

/** Fewer are looked up by their hashes. */
const FEW = 500;
/** Transactions read at a time; between two such spans others get their turn. */
const SPAN = 16;

export type Records = ReadonlyMap<Hash, MemoryRecord>;

/**
 * Reads many records, a part at a time, in whatever order is cheapest: as they were written, since looking up each by
 * its hash takes ten times as long. Those that cannot be read are in no part.
 */
export async function* sweep(reader: Reader, wanted: Iterable<Hash>): AsyncGenerator<Records> {
  const left = new Set(wanted);
  const seq = left.size > FEW ? (await reader.version()).seq : 0;
  for (let after = 0; after < seq && left.size > FEW; after += SPAN) {
    const range = { after, upTo: after + SPAN };
    const found = await reader.gather(["memory"], range, (hash) => left.has(hash));
    for (const hash of found.keys()) left.delete(hash);
    yield found as Records;
    await new Promise((resume) => setImmediate(resume));
  }
  const rest = [...left];
  for (let at = 0; at < rest.length; at += FEW) yield await reader.values("memory", rest.slice(at, at + FEW));
}
