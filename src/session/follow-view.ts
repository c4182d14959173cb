import type { Hash } from "../base/index.js";
import { type LedgerEvent, stateLookup, type Tip } from "../ledger/index.js";
import { isNeed } from "../merkle/index.js";
import { entryFrom } from "./entries.js";
import type { Kept } from "./kept-view.js";
import type { Reader } from "./reader.js";
import { rowAt } from "./versions.js";

/** A key that was written on the way, and every version of it that was met. */
interface Changed {
  readonly scope: Hash;
  readonly id: Hash;
  readonly versions: Set<Hash>;
}

/**
 * Brings a view from its commit to another one. Not by the difference of the two states: a memory that was forgotten and
 * came back is the same in both, but its version and commit are not. False when making a new view would be cheaper.
 */
export async function followView(reader: Reader, kept: Kept, to: Tip): Promise<boolean> {
  const limit = Math.max(500, kept.view.live / 4);
  const changed = await changedBetween(reader, kept.tip, to, limit);
  if (!changed) return false;
  const found = await liveVersions(reader, to, changed);
  const records = await reader.values("memory", [...found.values()]);
  const fresh = [];
  for (const [key, hash] of found) {
    const record = records.get(hash);
    const row = record && (await rowAt(reader, to, key.scope, key.id, hash));
    if (row) fresh.push(entryFrom(record, hash, row));
    else {
      reader.damaged.add(hash);
      kept.isWhole = false;
    }
  }
  for (const { versions } of changed) for (const hash of versions) kept.view.remove(hash);
  for (const entry of fresh) kept.view.add(entry);
  kept.tip = to;
  if (kept.view.isDue) kept.view.compact();
  return true;
}

/** Walks both first-parent lines back to where they meet. */
async function changedBetween(
  reader: Reader,
  from: Tip,
  to: Tip,
  limit: number,
): Promise<Changed[] | undefined> {
  const changed = new Map<string, Changed>();
  const note = ({ scope, id, before, after }: LedgerEvent): void => {
    const known = changed.get(scope + id);
    const versions = known?.versions ?? new Set<Hash>();
    if (!known) changed.set(scope + id, { scope, id, versions });
    if (before) versions.add(before);
    if (after) versions.add(after);
  };
  let steps = 0;
  const back = async ({ commit }: Tip): Promise<Tip> => {
    for (const event of (await reader.value("changeset", commit.changeset)).events) note(event);
    return reader.tip(commit.parents[0] as Hash);
  };
  let [a, b] = [from, to];
  while (a.hash !== b.hash) {
    if (++steps > limit || changed.size > limit) return undefined;
    const ahead = a.commit.generation - b.commit.generation;
    if (ahead >= 0) a = await back(a);
    if (ahead <= 0) b = await back(b);
  }
  return [...changed.values()];
}

function liveVersions(reader: Reader, tip: Tip, changed: readonly Changed[]): Promise<Map<Changed, Hash>> {
  return reader.read<Map<Changed, Hash>>([tip], (source) => {
    const found = new Map<Changed, Hash>();
    const need: Hash[] = [];
    for (const key of changed) {
      const answer = stateLookup(tip.commit.root, key.scope, key.id, source);
      if (isNeed(answer)) need.push(...answer.need);
      else if (answer.record) found.set(key, answer.record);
    }
    return need.length > 0 ? { need: [...new Set(need)] } : found;
  });
}
