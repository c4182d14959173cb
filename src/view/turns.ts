import { type Columns, type Frozen, NONE, sizeOf } from "./frozen.js";
import { Parts } from "./parts.js";
import { type Aged, byAge } from "./select.js";
import { inSlices, type Steps } from "./slices.js";

type Turns = Pick<Columns, "turns" | "turnStarts">;
export const NO_TURNS: Turns = { turns: new Uint32Array(0), turnStarts: new Uint32Array(1) };

/** The order of a conversation: as it was said, and where nobody says, as it was written. */
export function bySaying(memories: Aged & Pick<Parts, "turnOf" | "dateOf">) {
  const older = byAge(memories);
  return (a: number, b: number): number =>
    memories.turnOf(a) - memories.turnOf(b) || memories.dateOf(a) - memories.dateOf(b) || older(a, b);
}

/** The conversations of a frozen part, put in order once, so that no start has to go through all memories. */
export function* turnsOf(frozen: Frozen): Steps<Turns> {
  const { session, names, partitions } = frozen;
  const turnStarts = new Uint32Array(names.length + 1);
  for (const name of session) if (name !== NONE) turnStarts[name + 1]!++;
  for (let at = 0; at < names.length; at++) turnStarts[at + 1]! += turnStarts[at]!;
  const turns = new Uint32Array(turnStarts[names.length]!);
  const next = turnStarts.slice();
  for (let doc = 0; doc < sizeOf(frozen); doc++)
    if (session[doc] !== NONE) turns[next[session[doc]!]!++] = doc;
  const memories = new Parts(frozen);
  const inOrder = bySaying({
    ...{ turnOf: (doc) => memories.turnOf(doc), dateOf: (doc) => memories.dateOf(doc) },
    ...{ isInOrder: (a, b) => memories.isInOrder(a, b), createdOf: (doc) => memories.createdOf(doc) },
    ...{ scopeOf: (doc) => partitions[memories.partitionOf(doc)]!.scope, idOf: (doc) => memories.idOf(doc) },
  });
  yield* inSlices(names.length, (from, to) => {
    for (let name = from; name < to; name++)
      turns.subarray(turnStarts[name], turnStarts[name + 1]).sort(inOrder);
  });
  return { turns, turnStarts };
}
