import type { Hash } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import type { Reader } from "./reader.js";

/**
 * So many rows of some commits, read once from the newest down: to look each up by itself would unpack a commit's rows once
 * for each of them. Ends early when it meets too many of others.
 */
export async function* lineRows(
  reader: Reader,
  commits: ReadonlySet<Hash>,
  count: number,
  mostForeign = Number.POSITIVE_INFINITY,
): AsyncGenerator<Touch> {
  let left = count;
  let foreign = 0;
  for (let before = Number.MAX_SAFE_INTEGER; left > 0 && foreign < mostForeign && before > 0; ) {
    const page = await reader.storage.touchBefore(before, left);
    for (const row of page.touch)
      if (!commits.has(row.commit)) foreign++;
      else {
        left--;
        yield row;
      }
    before = page.seq;
  }
}
