import type { Hash } from "../core/base/index.js";
import { decodeObject, type LedgerEvent, type Tip } from "../core/ledger/index.js";
import type { Storage } from "../storage/index.js";
import type { Inventory } from "./objects.js";
import { fetchWhole } from "./reads.js";

/** Changesets fetched at once: about so many bytes of them, by what the last ones took. */
const AHEAD_BYTES = 1 << 20;
const MOST_AHEAD = 256;

/**
 * The events of commits in a given order, fetched some commits ahead. They are read twice, for states and for
 * touch rows, rather than kept: they are the biggest part of a history after the records.
 */
export async function* withEvents(
  storage: Storage,
  tips: readonly Tip[],
  inventory: Inventory,
): AsyncGenerator<{ readonly tip: Tip; readonly events: readonly LedgerEvent[] | undefined }> {
  for (let at = 0, ahead = 1; at < tips.length; ) {
    const part = tips.slice(at, at + ahead);
    at += ahead;
    const wanted = new Set<Hash>();
    for (const { commit } of part)
      if (inventory.has("changeset", commit.changeset)) wanted.add(commit.changeset);
    const found = await fetchWhole(storage, "changeset", [...wanted]);
    for (const tip of part) {
      const bytes = found.get(tip.commit.changeset);
      yield { tip, events: bytes && decodeObject("changeset", bytes).events };
    }
    const size = [...found.values()].reduce((sum, { length }) => sum + length, 1);
    ahead = Math.max(1, Math.min(MOST_AHEAD, 2 * ahead, Math.floor((AHEAD_BYTES * ahead) / size)));
  }
}
