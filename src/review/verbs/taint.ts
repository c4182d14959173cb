import { type Hash, idKey, isHash, type MemoryId, type Scope, scopeKey } from "../../core/base/index.js";
import type { MemoryRecord, Trust } from "../../core/ledger/index.js";
import { type Derivation, taintedBy } from "../../gate/index.js";
import { visibleCommits } from "../../history/index.js";
import type { AtTip } from "../../repo/index.js";
import { recordAt } from "../../repo/index.js";

/** A memory that was made, directly or through others, from the one that was asked about. */
export interface Tainted {
  readonly id: MemoryId;
  readonly scope: Scope;
  /** How many derivations away. */
  readonly distance: number;
  /** The memory it was made from, on the shortest way. */
  readonly via: MemoryId;
  /** Its last words. */
  readonly text: string;
  readonly trust: Trust;
  /** Is it there now, or only in history? */
  readonly live: boolean;
}

interface Versions {
  readonly place: string;
  last: MemoryRecord;
  readonly from: Set<string>;
}

/** So many records are read at once. */
const SLICE = 2_000;

/**
 * Everything that rests on a memory, through every version of every memory that the session sees: what a version was
 * derived from, or names as its evidence, taints all later ones, because an edit does not make a source better.
 */
export async function taint({ context, reader, tip }: AtTip, start: Place): Promise<Tainted[]> {
  const hashes: Hash[] = [];
  for await (const [, rows] of visibleCommits(context, [tip]))
    for (const { record } of rows) if (record) hashes.push(record);
  const owners = new Map<Hash, string>();
  const known = new Map<string, Versions>();
  /** Of memories that moved: the place they had first. */
  const homes = new Map<string, string>();
  const homeOf = (at: Place): string => homes.get(placeOf(at)) ?? placeOf(at);
  // Oldest first, so that the last words are the newest.
  for (let end = hashes.length; end > 0; end -= SLICE) {
    const slice = hashes.slice(Math.max(0, end - SLICE), end).reverse();
    const records = await reader.values("memory", slice);
    for (const hash of slice) {
      const record = records.get(hash);
      if (!record || !context.sight.seesRecord(record)) continue;
      const { id, origin } = record;
      if (origin.movedFrom !== undefined)
        homes.set(placeOf(record), homeOf({ scope: origin.movedFrom as Scope, id }));
      const place = homeOf(record);
      owners.set(hash, place);
      const versions = known.get(place) ?? { place, last: record, from: new Set<string>() };
      versions.last = record;
      for (const source of sourcesOf(record)) versions.from.add(source);
      known.set(place, versions);
    }
  }
  const byId = new Map<string, string[]>();
  for (const [place, { last }] of known) byId.set(last.id, [...(byId.get(last.id) ?? []), place]);
  const derivations = [...known.values()].map(
    ({ place, from }): Derivation<string> => ({
      id: place,
      from: [...from]
        .flatMap((source) => owners.get(source as Hash) ?? byId.get(source) ?? [])
        .filter((other) => other !== place),
    }),
  );
  const found: Tainted[] = [];
  for (const { id, via, distance } of taintedBy(homeOf(start), derivations)) {
    const { last } = known.get(id) as Versions;
    const now = await recordAt(reader, tip, scopeKey(last.scope), idKey(last.id));
    found.push({
      id: last.id,
      scope: last.scope,
      distance,
      via: known.get(via)?.last.id ?? start.id,
      text: last.text,
      trust: last.origin.trust,
      live: now !== undefined,
    });
  }
  return found;
}

interface Place {
  readonly scope: Scope;
  readonly id: MemoryId;
}

const placeOf = ({ scope, id }: Place): string => `${scope}\n${id}`;

/** Versions by hash, and memories that the evidence names by id or hash. */
function sourcesOf({ origin }: MemoryRecord): readonly string[] {
  const named = (origin.evidence ?? "").split(/[\s,;]+/u).filter((word) => isHash(word) || word.length >= 4);
  return [...(origin.derivedFrom ?? []), ...named];
}
