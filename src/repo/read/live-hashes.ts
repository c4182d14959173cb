import type { Hash } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { countEntries, isNeed, listEntries } from "../../core/merkle/index.js";
import type { Reader } from "./reader.js";

/** A state is listed part by part, so that no more than some thousands of a million entries are held at once. */
const PARTS = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, "0"));

/**
 * The hashes of all records of a state, some at a time. Of the nodes below the scopes none is kept in RAM: what is in daily
 * use stays there, and a large state takes no more room than a small one.
 */
export async function* liveHashes(reader: Reader, tip: Tip): AsyncGenerator<Hash[]> {
  const { root } = tip.commit;
  const { entries: scopes } = await reader.read([tip], (source) => listEntries(root, source));
  for (const [, inner] of scopes)
    for (const part of PARTS) {
      const { entries } = await reader.readPassing(tip, (source) => listEntries(inner, source, part));
      if (entries.length > 0) yield entries.map(([, hash]) => hash);
    }
}

/** How many there are, without reading any. */
export async function countLive(reader: Reader, tip: Tip): Promise<number> {
  const { root } = tip.commit;
  return (
    await reader.read([tip], (source) => {
      const scopes = listEntries(root, source);
      if (isNeed(scopes)) return scopes;
      let count = 0;
      const need: Hash[] = [];
      for (const [, inner] of scopes.entries) {
        const counted = countEntries(inner, source);
        if (isNeed(counted)) need.push(...counted.need);
        else count += counted.count;
      }
      return need.length > 0 ? { need } : { count };
    })
  ).count;
}
