/** One memory and those it was made from. */
export interface Derivation<Id> {
  readonly id: Id;
  readonly from: readonly Id[];
}

/** A memory that rests on another, and how it came to. */
export interface Descent<Id> {
  readonly id: Id;
  /** The one between: what it was made from on the shortest way. */
  readonly via: Id;
  readonly distance: number;
}

/**
 * Everything that was made from a memory, directly or through others, without the memory itself, in the order of
 * distance. Circles, which only damage could make, end the walk like anything already seen.
 */
export function taintedBy<Id>(start: Id, derivations: Iterable<Derivation<Id>>): Descent<Id>[] {
  const children = new Map<Id, Id[]>();
  for (const { id, from } of derivations)
    for (const parent of from) {
      const known = children.get(parent);
      if (known) known.push(id);
      else children.set(parent, [id]);
    }
  const seen = new Set<Id>([start]);
  const found: Descent<Id>[] = [];
  for (let at = -1; at < found.length; at++) {
    const here = at < 0 ? { id: start, distance: 0 } : (found[at] as Descent<Id>);
    for (const child of children.get(here.id) ?? [])
      if (!seen.has(child)) {
        seen.add(child);
        found.push({ id: child, via: here.id, distance: here.distance + 1 });
      }
  }
  return found;
}
