import { type Hash, PalimpsestError } from "../../core/base/index.js";
import { GENESIS } from "../../core/ledger/index.js";
import { visibleCommits } from "../../history/index.js";
import type { At, AtTip } from "../../repo/index.js";
import type { BisectOptions } from "../options.js";
import { search } from "./search.js";

export interface BisectResult {
  /** The commit that made the difference; absent when there was none. */
  readonly commit?: Hash;
  /** Does the search find the text now, since that commit; or no longer; or did it never? */
  readonly found: "since" | "no-longer" | "never";
  /** How many states were asked. */
  readonly steps: number;
}

/**
 * Finds the commit that made a search return a text, or stop returning it, on the branch's own line. Halves the
 * history again and again, so it asks few states; of several changes of mind it finds one, most often the last.
 */
export async function bisect(
  at: At,
  query: string,
  expect: string,
  options: BisectOptions,
): Promise<BisectResult> {
  const { context } = at;
  const { engine } = at.context;
  const wanted = typeof expect === "string" ? expect.normalize("NFC").toLowerCase().trim() : "";
  const limit = options.limit ?? 10;
  if (!Number.isInteger(limit) || limit < 1)
    throw new PalimpsestError("INVALID_VALUE", `Not a number of hits: ${limit}.`);
  if (wanted === "") throw new PalimpsestError("INVALID_TEXT", "Say which text the search should return.");
  const { reader } = engine;
  const line = await seenLine(at);
  let steps = 0;
  const finds = async (at: number): Promise<boolean> => {
    steps++;
    const tip = await reader.tip(line[at] as Hash);
    const { hits } = await search({ context, reader: engine.reader, tip, now: tip.commit.time }, query, {
      mode: "lexical",
      limit,
    });
    return hits.some(({ text }) => text.normalize("NFC").toLowerCase().includes(wanted));
  };
  const last = line.length - 1;
  const now = await finds(last);
  const other = await differing(last, now, finds);
  if (other === undefined) return { found: "never", steps };
  let [before, after] = [other, last];
  while (after - before > 1) {
    const middle = (before + after) >> 1;
    if ((await finds(middle)) === now) after = middle;
    else before = middle;
  }
  return { commit: line[after] as Hash, found: now ? "since" : "no-longer", steps };
}

/** The last state, on a way back in growing strides, that answers otherwise than the present one. */
async function differing(
  last: number,
  now: boolean,
  finds: (at: number) => Promise<boolean>,
): Promise<number | undefined> {
  for (let stride = 1; ; stride *= 2) {
    const at = Math.max(0, last - stride);
    if (last > 0 && (await finds(at)) !== now) return at;
    if (at === 0) break;
  }
  // The strides may have jumped over it: nothing is said to have never been before every state was asked.
  for (let at = last - 1; at >= 0; at--) if ((await finds(at)) !== now) return at;
  return undefined;
}

/** From the first commit to the head, of those that changed something the session sees: others are no steps. */
async function seenLine({ context, reader, tip: head }: AtTip): Promise<Hash[]> {
  const seen = new Set<Hash>([GENESIS.hash]);
  for await (const [hash] of visibleCommits(context, [head])) seen.add(hash);
  const line: Hash[] = [];
  for (let at: Hash | undefined = head.hash; at !== undefined; ) {
    if (seen.has(at)) line.push(at);
    at = (await reader.value("commit", at)).parents[0];
  }
  return line.reverse();
}
