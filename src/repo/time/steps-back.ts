import { type Hash, PalimpsestError } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import type { Reader } from "../read/reader.js";

/**
 * The commit so many before a point on its main line, as `main~2` means it. Only those are counted that the session sees
 * something of: how many others there are is nothing it may know. Before the first of them lies the empty store.
 */
export async function stepsBack(
  reader: Reader,
  from: Tip,
  steps: number,
  isSeen: (commit: Hash) => Promise<boolean>,
): Promise<Hash> {
  let tip = from;
  for (let left = steps; ; ) {
    const [parent] = tip.commit.parents;
    if ((parent === undefined || (await isSeen(tip.hash))) && left-- === 0) return tip.hash;
    if (parent === undefined)
      throw new PalimpsestError("NOT_FOUND", `History does not go back that far: ${steps} steps.`, {
        hint: "See `pal log`.",
      });
    tip = await reader.tip(parent);
  }
}
