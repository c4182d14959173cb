import type { Hash } from "../base/index.js";
import { idKey, scopeKey } from "../base/index.js";
import { STAGING } from "../branches/index.js";
import type { Reader } from "./reader.js";
import type { StagedNote } from "./staging.js";

/** What waits for a person and goes with an erasure. */
export interface Waiting {
  readonly name: string;
  readonly target: Hash;
}

/**
 * Of everything that waits, on any branch: what would change an erased memory, speaks of it, or quotes it. Nothing else of
 * an item is ever read than what it changes, so one that only rests on a state with the memory in it can go on waiting.
 */
export async function waitingFor(
  reader: Reader,
  keys: ReadonlySet<string>,
  quotes: (text: string) => boolean,
): Promise<Waiting[]> {
  const found: Waiting[] = [];
  for (const [name, { target }] of await reader.storage.refs(STAGING))
    if (await concerns(reader, target, keys, quotes)) found.push({ name, target });
  return found;
}

async function concerns(
  reader: Reader,
  target: Hash,
  keys: ReadonlySet<string>,
  quotes: (text: string) => boolean,
): Promise<boolean> {
  const { changeset, note } = await reader.value("commit", target);
  const { events } = await reader.value("changeset", changeset);
  if (events.some(({ scope, id }) => keys.has(scope + id))) return true;
  const said = note && (await reader.values("note", [note])).get(note);
  if (!said) return false;
  const { about = [] } = (said.meta?.staged ?? {}) as Partial<StagedNote>;
  return (
    about.some(({ scope, id }) => id !== undefined && keys.has(scopeKey(scope) + idKey(id))) ||
    quotes(JSON.stringify(said))
  );
}
