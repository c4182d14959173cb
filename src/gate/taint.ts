/** One memory and those it was made from. */
export interface Derivation<Id> {
  readonly id: Id;
  readonly from: readonly Id[];
}

/**
 * Everything that was made from a memory, directly or through others, without the memory itself, in the order of
 * distance. Circles, which only damage could make, end the walk like anything already seen.
 */
export function taintedBy<Id>(start: Id, derivations: Iterable<Derivation<Id>>): Id[] {
  const children = new Map<Id, Id[]>();
  for (const { id, from } of derivations)
    for (const parent of from) {
      const known = children.get(parent);
      if (known) known.push(id);
      else children.set(parent, [id]);
    }
  const seen = new Set<Id>([start]);
  const found: Id[] = [];
  for (let at = -1; at < found.length; at++)
    for (const child of children.get(at < 0 ? start : (found[at] as Id)) ?? [])
      if (!seen.has(child)) {
        seen.add(child);
        found.push(child);
      }
  return found;
}
