import { type Hash, idKey, type MemoryId, type Scope, scopeKey } from "../core/base/index.js";
import { STAGING } from "../core/ledger/index.js";
import type { StagedNote } from "../memories/index.js";
import type { Reader } from "../repo/index.js";

/** Under this kind an erasure waits for somebody who may erase. */
export const ERASE = "erase";

export interface EraseRequest {
  readonly memories: readonly { readonly scope: Scope; readonly id: MemoryId }[];
  readonly derived?: boolean;
}

/**
 * What an item of that kind asks for; undefined when somebody meant something of their own by it. Nothing else that is said
 * there is carried out: a person is shown these memories.
 */
export function requestIn({ data }: Partial<StagedNote>): EraseRequest | undefined {
  const isNamed = (one: unknown) =>
    typeof one === "object" &&
    one !== null &&
    ["scope", "id"].every((key) => typeof (one as Record<string, unknown>)[key] === "string");
  if (!Array.isArray(data?.memories) || !data.memories.every(isNamed)) return undefined;
  const { memories, derived } = data as unknown as EraseRequest;
  return { memories, ...(derived === true && { derived }) };
}

/** What waits for a person and goes with an erasure. */
export interface Waiting {
  readonly name: string;
  readonly target: Hash;
}

type IsGone = (place: { readonly scope: Scope; readonly id?: MemoryId }) => boolean;

/**
 * Of everything that waits, on any branch: what would change an erased memory, speaks of it, or quotes it, or what is said of it is one of the notes that go. Nothing else of
 * an item is ever read than what it changes, so one that only rests on a state with the memory in it can go on waiting,
 * and so can a request to erase others too.
 */
export async function waitingFor(
  reader: Reader,
  keys: ReadonlySet<string>,
  quotes: (text: string) => boolean,
  notes: ReadonlySet<Hash> = new Set(),
): Promise<Waiting[]> {
  const before = await reader.erased();
  const goes: IsGone = ({ scope, id }) => id !== undefined && keys.has(scopeKey(scope) + idKey(id));
  const isGone: IsGone = (place) =>
    goes(place) ||
    (place.id !== undefined && before.hasKey({ scope: scopeKey(place.scope), id: idKey(place.id) }));
  const found: Waiting[] = [];
  for (const [name, { target, meta }] of await reader.storage.refs(STAGING)) {
    const { changeset, note } = await reader.value("commit", target);
    const { events } = await reader.value("changeset", changeset);
    const said = note && (await reader.values("note", [note])).get(note);
    const staged = (said?.meta?.staged ?? {}) as Partial<StagedNote>;
    const request = meta?.kind === ERASE ? requestIn(staged) : undefined;
    const isOver = request ? request.memories.every(isGone) : (staged.about ?? []).some(goes);
    if (
      isOver ||
      (note && notes.has(note)) ||
      events.some(({ scope, id }) => keys.has(scope + id)) ||
      quotes(JSON.stringify(said ?? null))
    )
      found.push({ name, target });
  }
  return found;
}
