import { type Hash, idKey, scopeKey } from "../../core/base/index.js";
import { scopeEntries, type Tip, type Touch } from "../../core/ledger/index.js";
import { listEntries } from "../../core/merkle/index.js";
import { View } from "../../index/index.js";
import { entryFrom } from "../read/entries.js";
import type { Reader } from "../read/reader.js";
import { sweep } from "../read/sweep.js";
import { giveWay } from "../read/turn.js";
import { rowAmong, rowAt } from "../read/versions.js";
import type { Kept } from "./kept-view.js";

/** Beyond this many it is cheaper to read all touch rows in order than to look each one up. */
const FEW = 500;

/** Joining parts reads all of them again, so that while nobody reads the view it is put off until RAM speaks for it. */
const MANY = 131_072;

/** Makes the view of a commit from the store. What cannot be read is left out and noted as damaged. */
export async function buildView(reader: Reader, tip: Tip): Promise<Kept> {
  const view = new View();
  const places = await allPlaces(reader, tip);
  const rows = places.size > FEW ? await rowsByVersion(reader, tip, places) : undefined;
  const rowOf = (hash: Hash, { scope, id }: Place): Touch | undefined | Promise<Touch | undefined> => {
    if (!rows) return rowAt(reader, tip, scope, id, hash);
    const own = rows.get(hash) ?? [];
    return own.length === 1 ? own[0] : rowAmong(reader, tip, own, hash);
  };
  for await (const records of sweep(reader, [...places.keys()])) {
    for (const [hash, record] of records) {
      const place = places.get(hash)!;
      const found = rowOf(hash, place);
      // To wait for what is at hand would cost more than all else about it.
      const row = found instanceof Promise ? await found : found;
      if (!row || scopeKey(record.scope) !== place.scope || idKey(record.id) !== place.id) continue;
      view.add(entryFrom(record, hash, row));
      places.delete(hash);
    }
    if (view.changes >= Math.max(MANY, view.live / 2)) await join(view);
  }
  let isWhole = true;
  for (const hash of places.keys()) if ((await reader.missed(hash)) === "damaged") isWhole = false;
  if (view.isDue) await join(view);
  return { tip, view, isWhole, savedAt: undefined };
}

async function join(view: View): Promise<void> {
  const steps = view.compacting();
  while (!steps.next().done) await giveWay();
}

interface Place {
  readonly scope: Hash;
  readonly id: Hash;
}

/** Where each live version stands: its hash covers its scope and id, so that it stands in one place. */
async function allPlaces(reader: Reader, tip: Tip): Promise<Map<Hash, Place>> {
  const { root } = tip.commit;
  const { entries } = await reader.read([tip], (source) => listEntries(root, source));
  const places = new Map<Hash, Place>();
  for (const [scope] of entries) {
    const inner = await reader.read([tip], (source) => scopeEntries(root, scope, source));
    for (const [id, hash] of inner.entries) places.set(hash, { scope, id });
  }
  return places;
}

/** The rows of each version that is live. */
async function rowsByVersion(
  reader: Reader,
  tip: Tip,
  live: ReadonlyMap<Hash, Place>,
): Promise<Map<Hash, Touch[]>> {
  const rows = new Map<Hash, Touch[]>();
  for (let after = 0; ; ) {
    const page = await reader.storage.touchSince(after, 10_000);
    for (const row of page.touch)
      if (row.record && row.generation <= tip.commit.generation && live.has(row.record)) {
        const known = rows.get(row.record);
        if (known) known.push(row);
        else rows.set(row.record, [row]);
      }
    if (page.seq === after) return rows;
    after = page.seq;
  }
}
