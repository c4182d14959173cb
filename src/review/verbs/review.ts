import {
  type BranchName,
  type Hash,
  idKey,
  type JsonObject,
  type MemoryId,
  type Scope,
  scopeKey,
  type Timestamp,
} from "../../core/base/index.js";
import {
  type Author,
  type FieldChange,
  type MemoryRecord,
  recordChanges,
  STAGING,
  type Tip,
  type Trust,
  trustRank,
} from "../../core/ledger/index.js";
import {
  isOwnDecision,
  type Staged,
  type StagedChange,
  type StagedNote,
  stagedItems,
} from "../../memories/index.js";
import { type At, type AtTip, type Context, type Reader, recordAt } from "../../repo/index.js";
import type { ReviewOptions } from "../options.js";
import { ERASE } from "../options.js";

/** What one memory would become, field by field. */
export interface ReviewChange {
  readonly op: "add" | "modify" | "forget";
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly type: string;
  /** The text as it would be; of a forget, as it is. */
  readonly text: string;
  readonly fields: readonly FieldChange[];
  /** The version it would replace, and the one it would become. */
  readonly before?: Hash;
  readonly after?: Hash;
  /** Somebody changed the memory meanwhile: accepting joins both. */
  readonly moved: boolean;
}

/** Something that waits for a person. */
export interface ReviewItem {
  readonly id: string;
  readonly kind: string;
  readonly branch: BranchName;
  /** The commit that holds it, and the head it was judged on. */
  readonly commit: Hash;
  readonly on: Hash;
  readonly by: Author;
  readonly trust: Trust;
  readonly time: Timestamp;
  /** Milliseconds since then. */
  readonly age: number;
  readonly reason?: string;
  readonly cost?: { readonly [unit: string]: number };
  /** Why the gate held it back. */
  readonly verdict?: { readonly code: string; readonly check: string; readonly against?: MemoryId };
  readonly data?: JsonObject;
  /** Memories it speaks of. */
  readonly about: readonly { readonly scope: Scope; readonly id?: MemoryId }[];
  readonly changes: readonly ReviewChange[];
  /** The trust that accepting it needs, where this session has less. */
  readonly needs?: Trust;
}

/** Everything that waits and that the session sees, oldest first. */
export async function review(at: At, options: ReviewOptions): Promise<ReviewItem[]> {
  const { context } = at;
  const items = (await stagedItems(context)).filter(
    ({ kind }) => options.kind === undefined || kind === options.kind,
  );
  const wanted = items.slice(0, options.limit ?? items.length);
  return Promise.all(wanted.map((item) => reviewItem(at, item)));
}

export async function reviewItem(at: At, item: Staged): Promise<ReviewItem> {
  const { context, reader, tip: head, now } = at;
  const { id, kind, branch, tip, on, by, trust, time, reason, note } = item;
  const changes: ReviewChange[] = [];
  for (const change of item.changes) changes.push(await changeItem(reader, head, change));
  const needs = await trustNeeded(at, item);
  return {
    id,
    kind,
    branch,
    commit: tip.hash,
    on,
    by,
    trust,
    time,
    age: Math.max(0, Date.parse(now) - Date.parse(time)),
    ...(reason !== undefined && { reason }),
    ...(note.cost && { cost: note.cost as ReviewItem["cost"] & object }),
    ...(note.verdict && { verdict: note.verdict as unknown as ReviewItem["verdict"] & object }),
    ...(note.data && { data: note.data }),
    about: note.about.map(({ scope, id: memory }) => ({
      scope,
      ...(memory !== undefined && { id: memory }),
    })),
    changes,
    ...(needs && trustRank(context.trust) < trustRank(needs) && { needs }),
  };
}

/** The trust that accepting it needs: what the gate would hold back again waits for somebody else in vain. */
async function trustNeeded({ context, reader, tip: head }: AtTip, item: Staged): Promise<Trust | undefined> {
  const needed: Trust[] = waitsForUser(context, item) ? ["user"] : [];
  if (!context.rules.off.has("trust"))
    for (const { was, change } of item.changes) {
      const hash = await recordAt(reader, head, change.scope, change.id);
      const now = hash && (await reader.record(hash));
      for (const record of [was, now]) if (record) needed.push(record.origin.trust);
    }
  return needed.sort((a, b) => trustRank(b) - trustRank(a))[0];
}

const waitsForUser = (context: Context, item: Staged): boolean =>
  item.kind === ERASE || item.note.verdict?.code === "UNVOUCHED" || isOwnDecision(context, item);

async function changeItem(
  reader: Reader,
  head: Tip,
  { was, wanted, change: { scope, id, before, after } }: StagedChange,
): Promise<ReviewChange> {
  const shown = (wanted ?? was) as MemoryRecord;
  const now = await recordAt(reader, head, scope, id);
  return {
    op: wanted ? (was ? "modify" : "add") : "forget",
    id: shown.id,
    scope: shown.scope,
    type: shown.type,
    text: shown.text,
    fields: was && wanted ? recordChanges(was, wanted) : [],
    ...(before && { before }),
    ...(after && { after }),
    moved: now !== before,
  };
}

interface EraseRequest {
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
    const stored = note && (await reader.values("note", [note])).get(note);
    const staged = (stored?.meta?.staged ?? {}) as Partial<StagedNote>;
    const request = meta?.kind === ERASE ? requestIn(staged) : undefined;
    const isOver = request ? request.memories.every(isGone) : (staged.about ?? []).some(goes);
    if (
      isOver ||
      (note && notes.has(note)) ||
      events.some(({ scope, id }) => keys.has(scope + id)) ||
      quotes(JSON.stringify(stored ?? null))
    )
      found.push({ name, target });
  }
  return found;
}
