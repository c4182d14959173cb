import type { Hash, MemoryId, Scope } from "../core/base/index.js";
import type { Fate, GoneBefore, Key } from "../repo/index.js";

/** What led to a memory: its whole id, its topic, a part of its id, what it says, or another that it was made from. */
export type FoundBy = "id" | "topic" | "part" | "text" | "derived";

/** What is kept of a memory while all are looked at: not its texts, because a store may be bigger than memory. */
export interface Candidate {
  readonly scope: Scope;
  readonly id: MemoryId;
  readonly versions: Set<Hash>;
  readonly topics: Set<string>;
  readonly from: Set<string>;
  contains: boolean;
  /** Does the session see any version of it? */
  seen: boolean;
  by?: FoundBy;
}

/** One place of a memory. */
export const nameOf = ({ scope, id }: { readonly scope: Scope; readonly id: MemoryId }): string =>
  `${scope}\n${id}`;

/** All places of a memory that moved between them. */
export function placesOf(first: Candidate, seen: readonly Candidate[]): readonly Candidate[] {
  const places = [first];
  // A list goes on with what is added to it on the way.
  for (const place of places)
    for (const other of seen)
      if (!places.includes(other) && (cameFrom(other, place) || cameFrom(place, other))) places.push(other);
  return places;
}

const cameFrom = (one: Candidate, other: Candidate): boolean =>
  one.id === other.id && one.from.has(nameOf(other));

/** Did one of them move from or to a place that is hidden? */
export function hasHiddenPlace(
  named: ReadonlySet<Candidate>,
  all: ReadonlyMap<string, Candidate>,
  isHidden: (one: Candidate) => boolean,
): boolean {
  const before = ({ from }: Candidate) => [...from].flatMap((name) => all.get(name) ?? []);
  return [...all.values()].some((one) =>
    before(one).some((other) => (named.has(one) && isHidden(other)) || (isHidden(one) && named.has(other))),
  );
}

/** How names are understood, and what is known of them beside the records. */
export interface Names {
  /** Is a part of an id enough? To see what would go, never to erase it. */
  readonly byPart: boolean;
  /** The same one whenever it is asked, so that what is erased is what was found first, whoever takes a topic over. */
  holder(topic: string): Promise<Key | undefined>;
  fateOfId(given: string): Promise<Fate | undefined>;
  isLive(key: Key): Promise<boolean>;
  /** Where, before the scope of this one, another of that name was, if no scope was named. */
  goneBefore(given: string, found: Key): Promise<GoneBefore | undefined>;
}

/** Does its id begin or end so? */
export const hasPart =
  (given: string) =>
  ({ id }: Candidate): boolean =>
    given.length >= 6 && (id.startsWith(given) || id.endsWith(given));

/** How records say that they were made from others. */
export const LINKS = ['"derivedFrom":', '"movedFrom":'].map((name) => Buffer.from(name));

/** As it stands in the JSON of a record. */
export const insideJson = (text: string): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1));
