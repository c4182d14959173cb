import { type Hash, idKey, scopeKey } from "../base/index.js";
import { scopeEntries, type Tip, type Touch } from "../ledger/index.js";
import { listEntries } from "../merkle/index.js";
import { View } from "../view/index.js";
import { entryFrom } from "./entries.js";
import type { Kept } from "./kept-view.js";
import type { Reader } from "./reader.js";
import { giveWay } from "./turn.js";
import { rowAmong, rowAt } from "./versions.js";

/** Records read at a time; between two slices others get their turn. */
const SLICE = 1000;
/** Beyond this many it is cheaper to read all touch rows in order than to look each one up. */
const FEW = 500;

/** Joining parts reads all of them again, so that while nobody reads the view it is put off until RAM speaks for it. */
const MANY = 131_072;

/** Makes the view of a commit from the store. What cannot be read is left out and noted as damaged. */
export async function buildView(reader: Reader, tip: Tip): Promise<Kept> {
  const view = new View();
  let isWhole = true;
  const places = await allPlaces(reader, tip);
  const rows = places.length > FEW ? await rowsByVersion(reader, tip, places) : undefined;
  for (let from = 0; from < places.length; from += SLICE) {
    const slice = places.slice(from, from + SLICE);
    const records = await reader.values(
      "memory",
      slice.map(({ hash }) => hash),
    );
    for (const { scope, id, hash } of slice) {
      const record = records.get(hash);
      const isHere = record && scopeKey(record.scope) === scope && idKey(record.id) === id;
      const row = rows
        ? await rowAmong(reader, tip, rows.get(hash) ?? [], hash)
        : await rowAt(reader, tip, scope, id, hash);
      if (isHere && row) view.add(entryFrom(record, hash, row));
      else if ((await reader.missed(hash)) === "damaged") isWhole = false;
    }
    if (view.changes >= Math.max(MANY, view.live / 2)) await join(view);
    if (from + SLICE < places.length) await new Promise((resume) => setImmediate(resume));
  }
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
  readonly hash: Hash;
}

async function allPlaces(reader: Reader, tip: Tip): Promise<Place[]> {
  const { root } = tip.commit;
  const { entries } = await reader.read([tip], (source) => listEntries(root, source));
  const places: Place[] = [];
  for (const [scope] of entries) {
    const inner = await reader.read([tip], (source) => scopeEntries(root, scope, source));
    for (const [id, hash] of inner.entries) places.push({ scope, id, hash });
  }
  return places;
}

/** The rows of each version that is live. A version's hash covers its scope and id, so it names its rows. */
async function rowsByVersion(
  reader: Reader,
  tip: Tip,
  places: readonly Place[],
): Promise<Map<Hash, Touch[]>> {
  const live = new Set(places.map(({ hash }) => hash));
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
