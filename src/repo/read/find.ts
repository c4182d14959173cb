import {
  type Hash,
  idKey,
  isCompleteId,
  isShortIdOf,
  type MemoryId,
  mayBeShortId,
  PalimpsestError,
  parseId,
  parseScope,
  quote,
  resolveId,
  type Scope,
  scopeKey,
} from "../../core/base/index.js";
import { type MemoryRecord, type Tip, topicLink } from "../../core/ledger/index.js";
import { listEntries } from "../../core/merkle/index.js";
import type { AtTip, Context, Job } from "../context.js";
import { byOrder } from "../sight.js";
import type { Draft } from "../write/draft.js";
import type { Key, Lookup } from "./entries.js";
import { type Entry, isExpired, linkedEntries } from "./entries.js";
import type { Asked, GoneBefore } from "./known-name.js";
import type { Reader } from "./reader.js";
import { recordAt } from "./versions.js";

/**
 * Finds the memory a reader means: by its whole id in the named scope or the session's scopes in order, else by its
 * topic in the same, else by a prefix or suffix of its id among everything the session sees. A name that a memory once
 * had, on whatever branch, is no part of another's. What the session may not see is exactly as absent as what is not.
 */
export async function findKey(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope?: string,
): Promise<Key | undefined> {
  const sought = await findNameOr(context, state, idOrTopic, scope);
  if (sought === undefined || "id" in sought) return sought;
  if (idOrTopic.length < 6) return undefined;
  return findAmong(context, state, idOrTopic, scope, await partsOf(context, state, idOrTopic, scope));
}

/**
 * Finds the memory a writer means: by its whole id or its whole topic, as a reader does; else by the short form in which
 * we show an id that nobody chose. A part of an id that somebody chose means nothing here, and nor does a name whose memory
 * has gone, in this scope or in one that comes before it: who writes again what was done already must not hit another.
 */
export async function findNamed(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope?: string,
): Promise<Key | undefined> {
  const found = await findLast(context, state, idOrTopic, scope);
  return found && (await goneBefore(context, state, idOrTopic, scope, found)) ? undefined : found;
}

/** As `findNamed`, whatever has gone from scopes that come before. */
async function findLast(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope?: string,
): Promise<Key | undefined> {
  const sought = await findNameOr(context, state, idOrTopic, scope);
  if (sought === undefined) return undefined;
  if ("id" in sought) {
    if (sought.id === idOrTopic) return sought;
    const { hasGone } = await import("./known-name.js");
    return (await hasGone(await asked(context, state, idOrTopic, scope))) ? undefined : sought;
  }
  if (!mayBeShortId(idOrTopic)) return undefined;
  const candidates = await partsOf(context, state, idOrTopic, scope);
  for (const id of candidates.keys()) if (!isShortIdOf(idOrTopic, id)) candidates.delete(id);
  return findAmong(context, state, idOrTopic, scope, candidates);
}

/** Where, before the scope in which a name without one is found, another of that name was. */
export async function goneBefore(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope: string | undefined,
  found: Key,
): Promise<GoneBefore | undefined> {
  const { reader } = context.engine;
  if (scope !== undefined) return undefined;
  const scopes = await scopesBefore(context, state, found.scope);
  if (scopes.length === 0) return undefined;
  const { firstGone } = await import("./known-name.js");
  return firstGone({ context, reader, state, idOrTopic, scopes, found });
}

/** The scopes in which a name was looked for before it was found in this one. */
async function scopesBefore(context: Context, { tip }: Lookup, found: Scope): Promise<readonly Scope[]> {
  const { sight, engine } = context;
  const place = sight.named.indexOf(found);
  if (place >= 0) return sight.named.slice(0, place);
  const all = await visibleScopes({ context, reader: engine.reader, tip });
  return [...new Set([...sight.named, ...all.slice(0, all.indexOf(found))])];
}

/** By the whole id, else by the topic; "part" where only a part of an id may be left. */
async function findNameOr(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope?: string,
): Promise<Key | { readonly left: "part" } | undefined> {
  if (typeof idOrTopic !== "string") parseId(idOrTopic);
  const whole = await findWhole(context, state, idOrTopic, scope);
  if (whole) return whole;
  const named = scope === undefined ? undefined : parseScope(scope);
  if ((named !== undefined && !context.sight.sees(named)) || isCompleteId(idOrTopic)) return undefined;
  const holder = await findHolder(context, state, idOrTopic, scope);
  if (holder) return holder;
  // What can be no id can be no part of one either.
  parseId(idOrTopic);
  return { left: "part" };
}

async function partsOf(context: Context, state: Lookup, idOrTopic: string, scope?: string) {
  const { keysByPart } = await import("./by-part.js");
  return keysByPart(context, state.tip, idOrTopic, scope === undefined ? undefined : parseScope(scope));
}

async function findAmong(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope: string | undefined,
  candidates: ReadonlyMap<string, Key>,
): Promise<Key | undefined> {
  if (candidates.size === 0 || (await isKnownName(context, state, idOrTopic, scope))) return undefined;
  const found = resolveId(idOrTopic, candidates.keys());
  return found === undefined ? undefined : candidates.get(found);
}

/** Was this ever the whole name of a memory, as far as the session may know? Then it is no part of another's. */
export async function isKnownName(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope?: string,
): Promise<boolean> {
  const { isKnown } = await import("./known-name.js");
  return isKnown(await asked(context, state, idOrTopic, scope));
}

/** A memory that is live, visible to the session and not expired, for a verb that is about to change it. */
export async function requireEntry({ context, draft }: Job, id: string, scope?: string): Promise<Entry> {
  const state = draftLookup(draft);
  const key = await findNamed(context, state, id, scope);
  const entry = key && (await draft.entry(key.scope, key.id));
  if (entry && !isExpired(entry, draft.now)) return entry;
  if (entry) throw notFound(id);
  throw await absent(context, state, id, scope);
}

/** Why nothing is written: what became of the name, and which whole ids it may have been meant for. */
export async function absent(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope?: string,
): Promise<PalimpsestError> {
  const named = scope === undefined ? undefined : parseScope(scope);
  if (named !== undefined && !context.sight.sees(named)) return notFound(idOrTopic);
  const farther = await findLast(context, state, idOrTopic, scope);
  const before = farther && (await goneBefore(context, state, idOrTopic, scope, farther));
  if (before) return outlived(idOrTopic, before, farther);
  const { fateOf, gone } = await import("./known-name.js");
  const fate = await fateOf(await asked(context, state, idOrTopic, scope));
  if (fate) return gone(idOrTopic, fate);
  if (isCompleteId(idOrTopic) || idOrTopic.length < 6) return notFound(idOrTopic);
  return notFound(idOrTopic, "", [...(await partsOf(context, state, idOrTopic, scope)).keys()].sort());
}

/** `parts`: the whole ids that begin or end so. */
export const notFound = (idOrTopic: string, when = "", parts: readonly string[] = []): PalimpsestError =>
  new PalimpsestError(
    parts.length > 1 ? "AMBIGUOUS" : "NOT_FOUND",
    `There is no memory ${quote(idOrTopic)}${when}${parts.length > 1 ? `, and ${parts.length} begin or end so` : ""}.`,
    {
      hint: "Look it up with `pal list`; say its whole id, or its topic.",
      ...(parts.length > 0 && {
        hint: `A part of an id names nothing that may be changed; say the whole id: ${parts.slice(0, 3).map(quote).join(", ")}${parts.length > 3 ? ", …" : ""}.`,
        data: { candidates: parts.slice(0, LISTED) },
      }),
    },
  );

/** A caller that repeats a change hears that it is done, and how to reach the other memory of that name. */
export const outlived = (idOrTopic: string, { scope, fate }: GoneBefore, other: Key): PalimpsestError =>
  new PalimpsestError(
    "NOT_FOUND",
    `${quote(idOrTopic)} was ${fate} in ${scope}; another is in ${other.scope}.`,
    {
      hint: `If it was to go, nothing needs to be done. If you mean the other, say its scope: ${other.scope}.`,
      data: { fate, scope: other.scope },
    },
  );

/** Whole ids that an error lists. */
const LISTED = 20;

/** What a name is asked about with: see `known-name.ts`. */
export async function asked(
  context: Context,
  { tip }: Lookup,
  idOrTopic: string,
  scope: string | undefined,
): Promise<Asked> {
  const { reader } = context.engine;
  const named = scope === undefined ? undefined : parseScope(scope);
  const scopes = named === undefined ? await visibleScopes({ context, reader, tip }) : [named];
  return { context, reader, tip, idOrTopic, id: wholeId(idOrTopic), scopes, isNamed: named !== undefined };
}

export const draftLookup = (draft: Draft): Lookup => ({
  tip: draft.start,
  record: async (scope, id) => (await draft.entry(scope, id))?.record,
  holder: async (scope, topic) => (await draft.topicHolder(scope, topic))?.record,
  was: async (scope, id) => (await draft.counters(scope, id)) !== undefined,
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

/** As `findKey`, by the whole id only. */
export async function findWhole(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope?: string,
): Promise<Key | undefined> {
  const { reader } = context.engine;
  const id = wholeId(idOrTopic);
  const named = scope === undefined ? undefined : parseScope(scope);
  if (id === undefined || (named !== undefined && !context.sight.sees(named))) return undefined;
  return findSeen({ context, reader, tip: state.tip }, named, (place) => state.record(place, id));
}

/** As `findKey`, by the topic only. */
export async function findHolder(
  context: Context,
  state: Lookup,
  idOrTopic: string,
  scope?: string,
): Promise<Key | undefined> {
  const { reader } = context.engine;
  const named = scope === undefined ? undefined : parseScope(scope);
  if (!idOrTopic.isWellFormed() || (named !== undefined && !context.sight.sees(named))) return undefined;
  return findSeen({ context, reader, tip: state.tip }, named, (place) => state.holder(place, idOrTopic));
}

/** What is given, if it can be an id. */
export function wholeId(idOrTopic: string): MemoryId | undefined {
  try {
    return parseId(idOrTopic);
  } catch {
    return undefined;
  }
}

/** The first that the session sees of what its scopes answer, in their order. */
async function findSeen(
  at: AtTip,
  named: Scope | undefined,
  find: (scope: Scope) => Promise<MemoryRecord | undefined>,
): Promise<Key | undefined> {
  const { context } = at;
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
  return seenIn(await visibleScopes(at));
}

/** Every scope that exists at a commit and that the session sees, in its order of lookup. */
export async function visibleScopes({ context, reader, tip }: AtTip): Promise<Scope[]> {
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
