import type { Hash } from "../base/index.js";
import { decodeObject, type LedgerEvent, type Tip } from "../ledger/index.js";
import type { Storage } from "../storage/index.js";
import type { Inventory } from "./objects.js";
import { fetchWhole } from "./reads.js";

/** Changesets fetched at once. */
const AHEAD = 64;

/**
 * The events of commits in a given order, fetched some commits ahead. They are read twice, for states and for
 * touch rows, rather than kept: they are the biggest part of a history after the records.
 */
export async function* withEvents(
  storage: Storage,
  tips: readonly Tip[],
  inventory: Inventory,
): AsyncGenerator<{ readonly tip: Tip; readonly events: readonly LedgerEvent[] | undefined }> {
  for (let at = 0; at < tips.length; at += AHEAD) {
    const part = tips.slice(at, at + AHEAD);
    const wanted = new Set<Hash>();
    for (const { commit } of part)
      if (inventory.changesets.has(commit.changeset)) wanted.add(commit.changeset);
    const found = await fetchWhole(storage, "changeset", [...wanted]);
    for (const tip of part) {
      const bytes = found.get(tip.commit.changeset);
      yield { tip, events: bytes && decodeObject("changeset", bytes).events };
    }
  }
}
