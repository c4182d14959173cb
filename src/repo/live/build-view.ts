import { type Hash, idKey, scopeKey } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import { View } from "../../index/index.js";
import { type Counted, entryFrom } from "../read/entries.js";
import { liveEntries } from "../read/live-entries.js";
import type { Reader } from "../read/reader.js";
import { sweep } from "../read/sweep.js";
import { giveWay } from "../read/turn.js";
import { rowAmong, rowAt } from "../read/versions.js";
import type { Kept } from "./kept-view.js";
import { LiveTable } from "./live-table.js";

/** Beyond this many it is cheaper to read all touch rows in order than to look each one up. */
const FEW = 500;
/** Rows read at a time. */
const ROWS = 2_000;

/** Joining parts reads all of them again, so that while nobody reads the view it is put off until RAM speaks for it. */
const MANY = 131_072;

/** Makes the view of a commit from the store. What cannot be read is left out and noted as damaged. */
export async function buildView(reader: Reader, tip: Tip): Promise<Kept> {
  const view = new View();
  const live = new LiveTable();
  for await (const entries of liveEntries(reader, tip)) live.addEntries(entries);
  const isMany = live.size > FEW;
  if (isMany) await addRows(reader, tip, live);
  const rowOf = (hash: Hash): Counted | undefined | Promise<Counted | undefined> => {
    if (isMany) {
      const own = live.rowsOf(hash);
      return own.length === 1 ? own[0] : rowAmong(reader, tip, own, hash);
    }
    const { scope, id } = live.placeOf(hash);
    return rowAt(reader, tip, scope, id, hash);
  };
  for await (const records of sweep(reader, live)) {
    for (const [hash, record] of records) {
      const place = live.placeOf(hash);
      const found = rowOf(hash);
      // To wait for what is at hand would cost more than all else about it.
      const row = found instanceof Promise ? await found : found;
      if (!row || scopeKey(record.scope) !== place.scope || idKey(record.id) !== place.id) continue;
      view.add(entryFrom(record, hash, row));
      live.hold(hash);
    }
    if (view.changes >= Math.max(MANY, view.live / 2)) await join(view);
  }
  let isWhole = true;
  for (const hash of live.unheld()) if ((await reader.missed(hash)) === "damaged") isWhole = false;
  if (view.isDue) await join(view);
  return { tip, view, isWhole, savedAt: undefined };
}

async function join(view: View): Promise<void> {
  const steps = view.compacting();
  while (!steps.next().done) await giveWay();
}

/** The rows of each version that is live. */
async function addRows(reader: Reader, tip: Tip, live: LiveTable): Promise<void> {
  for (let after = 0; ; ) {
    const page = await reader.storage.touchSince(after, ROWS);
    for (const row of page.touch) if (row.generation <= tip.commit.generation) live.addRow(row);
    if (page.seq === after) return;
    after = page.seq;
  }
}
