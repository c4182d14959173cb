import { type Aged, byAge } from "./docs.js";
import { type Columns, type Frozen, NONE, sizeOf } from "./frozen.js";
import { Parts } from "./parts.js";
import type { Steps } from "./slices.js";

type Turns = Pick<Columns, "turns" | "turnStarts">;
export const NO_TURNS: Turns = { turns: new Uint32Array(0), turnStarts: new Uint32Array(1) };

/** The order of a conversation: as it was said, and where nobody says, as it was written. */
export function bySaying(memories: Aged & Pick<Parts, "turnOf" | "dateOf">) {
  const older = byAge(memories);
  return (a: number, b: number): number =>
    memories.turnOf(a) - memories.turnOf(b) || memories.dateOf(a) - memories.dateOf(b) || older(a, b);
}

/** So many turns are put in order in a few milliseconds. */
const A_STEP = 2048;

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
  const parts = new Parts(frozen);
  const scopeOf = (doc: number) => partitions[parts.partitionOf(doc)]!.scope;
  const inOrder = bySaying(Object.assign(parts, { scopeOf }));
  for (let name = 0, ordered = 0; name < names.length; name++) {
    const end = turnStarts[name + 1]!;
    turns.subarray(turnStarts[name], end).sort(inOrder);
    if (end - ordered < A_STEP) continue;
    ordered = end;
    yield;
  }
  return { turns, turnStarts };
}
