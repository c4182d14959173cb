import type { Hash } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { countEntries, isNeed, listEntries } from "../../core/merkle/index.js";
import { liveEntries } from "./entries.js";
import type { Reader } from "./reader.js";

/** The hashes of all records of a state, some at a time. */
export async function* liveHashes(reader: Reader, tip: Tip): AsyncGenerator<Hash[]> {
  for await (const { entries } of liveEntries(reader, tip)) yield entries.map(([, hash]) => hash);
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
