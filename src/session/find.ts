import {
  type Hash,
  idKey,
  isGeneratedId,
  type MemoryId,
  PalimpsestError,
  parseId,
  parseScope,
  quote,
  resolveId,
  type Scope,
  scopeKey,
} from "../base/index.js";
import { type MemoryRecord, type Tip, topicLink } from "../ledger/index.js";
import { listEntries } from "../merkle/index.js";
import type { Context } from "./context.js";
import type { Draft } from "./draft.js";
import { type Entry, isExpired, linkedEntries } from "./entries.js";
import type { Reader } from "./reader.js";
import { byOrder } from "./sight.js";
import { recordAt } from "./versions.js";

/** A place where a memory may live. */
export interface Key {
  readonly scope: Scope;
  readonly id: MemoryId;
}

/** What lookups ask of the state they look in: a committed head or a draft on top of one. */
export interface Lookup {
  readonly tip: Tip;
  record(scope: Scope, id: MemoryId): Promise<MemoryRecord | undefined>;
  holder(scope: Scope, topic: string): Promise<MemoryRecord | undefined>;
}

/**
 * Finds the memory a caller means: by its whole id in the named scope or the session's scopes in order, else by its
 * topic in the same, else by a prefix or suffix of its id among everything the session sees. What it may not see is
 * exactly as absent as what is not.
 */
export async function findKey(
  context: Context,
  reader: Reader,
  state: Lookup,
  given: string,
  scope?: string,
): Promise<Key | undefined> {
  if (typeof given !== "string") parseId(given);
  const whole = await findWhole(context, reader, state, given, scope);
  if (whole) return whole;
  const named = scope === undefined ? undefined : parseScope(scope);
  if ((named !== undefined && !context.sight.sees(named)) || isComplete(given)) return undefined;
  const holder = await findHolder(context, reader, state, given, scope);
  if (holder) return holder;
  // What can be no id can be no part of one either.
  parseId(given);
  if (given.length < 6) return undefined;
  const { keysByPart } = await import("./by-part.js");
  const candidates = await keysByPart(context, state.tip, given, named);
  const found = resolveId(given, candidates.keys());
  return found === undefined ? undefined : candidates.get(found);
}

/** A memory that is live, visible to the session and not expired, for a verb that is about to change it. */
export async function requireEntry(
  context: Context,
  draft: Draft,
  id: string,
  scope?: string,
): Promise<Entry> {
  const key = await findKey(context, draft.reader, draftLookup(draft), id, scope);
  const entry = key && (await draft.entry(key.scope, key.id));
  if (!entry || isExpired(entry, draft.now))
    throw new PalimpsestError("NOT_FOUND", `There is no memory ${quote(id)}.`);
  return entry;
}

export const draftLookup = (draft: Draft): Lookup => ({
  tip: draft.start,
  record: async (scope, id) => (await draft.entry(scope, id))?.record,
  holder: async (scope, topic) => (await draft.topicHolder(scope, topic))?.record,
});

export const headLookup = (reader: Reader, tip: Tip): Lookup => ({
  tip,
  record: async (scope: Scope, id: MemoryId) => {
    const found = await recordAt(reader, tip, scopeKey(scope), idKey(id));
    return found === undefined ? undefined : reader.record(found);
  },
  holder: async (scope: Scope, topic: string) => {
    // Nearly always the last writer of a topic holds it; its history may be long.
    for (const newest of [1, undefined])
      for (const { record } of await linkedEntries(reader, tip, topicLink(scope, topic), newest))
        if (record.topic === topic) return record;
    return undefined;
  },
});

/** An id that we made is complete: if it is not there, it is no part of another, and nobody need look. */
export const isComplete = (given: string): boolean =>
  isGeneratedId(given) || /^(topic|obs)-[0-9a-f]{32}$/.test(given);

/** As `findKey`, by the whole id only. */
export async function findWhole(
  context: Context,
  reader: Reader,
  state: Lookup,
  given: string,
  scope?: string,
): Promise<Key | undefined> {
  const id = wholeId(given);
  const named = scope === undefined ? undefined : parseScope(scope);
  if (id === undefined || (named !== undefined && !context.sight.sees(named))) return undefined;
  return findSeen(context, reader, state.tip, named, (place) => state.record(place, id));
}

/** As `findKey`, by the topic only. */
export async function findHolder(
  context: Context,
  reader: Reader,
  state: Lookup,
  given: string,
  scope?: string,
): Promise<Key | undefined> {
  const named = scope === undefined ? undefined : parseScope(scope);
  if (!given.isWellFormed() || (named !== undefined && !context.sight.sees(named))) return undefined;
  return findSeen(context, reader, state.tip, named, (place) => state.holder(place, given));
}

/** What is given, if it can be an id. */
export function wholeId(given: string): MemoryId | undefined {
  try {
    return parseId(given);
  } catch {
    return undefined;
  }
}

/** The first that the session sees of what its scopes answer, in their order. */
async function findSeen(
  context: Context,
  reader: Reader,
  tip: Tip,
  named: Scope | undefined,
  find: (scope: Scope) => Promise<MemoryRecord | undefined>,
): Promise<Key | undefined> {
  const { sight } = context;
  const seenIn = async (scopes: readonly Scope[]) => {
    for (const scope of scopes) {
      const record = await find(scope);
      if (record && sight.seesRecord(record)) return { scope, id: record.id };
    }
    return undefined;
  };
  const found = await seenIn(named === undefined ? sight.named : [named]);
  if (found || named !== undefined || !sight.open) return found;
  return seenIn(await visibleScopes(context, reader, tip));
}

/** Every scope that exists at a commit and that the session sees, in its order of lookup. */
export async function visibleScopes(context: Context, reader: Reader, tip: Tip): Promise<Scope[]> {
  const { sight } = context;
  if (!sight.open) return [...sight.named];
  const { entries } = await reader.read([tip], (source) => listEntries(tip.commit.root, source));
  const scopes = new Set<Scope>(sight.named);
  for (const [, root] of entries) {
    const inner = await reader.read([tip], (source) => listEntries(root, source));
    const scope = await scopeOfAny(reader, inner.entries);
    if (scope !== undefined && sight.sees(scope)) scopes.add(scope);
  }
  return [...scopes].sort(byOrder);
}

/** The name of a scope is known from its records: the first that can be read tells. */
async function scopeOfAny(
  reader: Reader,
  entries: readonly (readonly [Hash, Hash])[],
): Promise<Scope | undefined> {
  for (const [, record] of entries) {
    const found = (await reader.values("memory", [record])).get(record);
    if (found) return found.scope;
    await reader.missed(record);
  }
  return undefined;
}
