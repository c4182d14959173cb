import {
  copyJson,
  type Hash,
  type JsonObject,
  type MemoryId,
  PalimpsestError,
  parseScope,
  parseTime,
  type Scope,
  sameJson,
  type Timestamp,
  timestamp,
} from "../core/base/index.js";
import {
  canonicalRecord,
  laneOf,
  type MemoryRecord,
  type Origin,
  sentence,
  type Trust,
} from "../core/ledger/index.js";
import { type MemoryChange, type MemoryInput, trustOf } from "../gate/index.js";
import type { Context, Reader } from "../repo/index.js";

const DAY = 86_400_000;

/** What a well-formed input says, as a record of its own; at once, unless its sources have to be read. */
export function newRecord(
  context: Context,
  input: MemoryInput,
  id: MemoryId,
  now: Timestamp,
  reader: Reader,
): MemoryRecord | Promise<MemoryRecord> {
  if (!input.derivedFrom) return recordOf(context, input, id, now, []);
  return trustOfSources(context, input.derivedFrom, reader).then((inherited) =>
    recordOf(context, input, id, now, inherited),
  );
}

function recordOf(
  context: Context,
  input: MemoryInput,
  id: MemoryId,
  now: Timestamp,
  inherited: readonly Trust[],
): MemoryRecord {
  const { triple, attributes, category, tags, parent, position, tier, topic, confidence, valid } = input;
  const { expiresAt, lifetime, session } = lifeOf(context, input, now);
  const { salt, sensitivity } = secrecyOf(context, input.sensitivity, undefined);
  return canonicalRecord({
    attributes,
    category,
    confidence,
    expiresAt,
    id,
    lifetime,
    origin: originOf(context, input, inherited),
    parent: parent as MemoryId | undefined,
    position,
    salt,
    scope: scopeOf(context, input),
    sensitivity,
    session,
    tags,
    text: input.text ?? (triple ? sentence(triple) : ""),
    tier,
    topic,
    triple,
    type: input.type ?? "fact",
    valid: valid && validOf(valid),
  } as MemoryRecord);
}

export const scopeOf = (context: Context, input: { readonly scope?: string }): Scope =>
  input.scope === undefined ? context.home : parseScope(input.scope);

/** The record after a change: only what is named changes, and naming a contested field settles it. */
export async function changedRecord(
  context: Context,
  record: MemoryRecord,
  change: MemoryChange,
  now: Timestamp,
  reader: Reader,
): Promise<MemoryRecord> {
  const plain: Record<string, unknown> = { ...record };
  for (const name of [
    "category",
    "tags",
    "parent",
    "position",
    "tier",
    "confidence",
    "triple",
    "type",
  ] as const)
    if (change[name] !== undefined) plain[name] = change[name] ?? undefined;
  const isElsewhere = change.parent !== undefined && change.parent !== record.parent;
  if (isElsewhere && change.position === undefined) plain.position = undefined;
  if (change.valid !== undefined) plain.valid = change.valid === null ? undefined : validOf(change.valid);
  if (change.attributes !== undefined) plain.attributes = patched(record.attributes, change.attributes);
  if (typeof change.text === "string") {
    plain.text = change.text;
    if (change.triple === undefined && record.triple && record.text === sentence(record.triple))
      plain.triple = undefined;
  } else if (change.triple) plain.text = sentence(change.triple);
  if (change.lifetime !== undefined || change.ttl !== undefined || change.expiresAt !== undefined) {
    for (const name of ["lifetime", "session", "expiresAt"]) delete plain[name];
    Object.assign(plain, lifeOf(context, withoutNulls(change), now));
  }
  if (change.sensitivity !== undefined)
    Object.assign(
      plain,
      { sensitivity: undefined },
      secrecyOf(context, change.sensitivity ?? "normal", record.salt),
    );
  const inherited = change.derivedFrom ? await trustOfSources(context, change.derivedFrom, reader) : [];
  const origin = originOf(context, withoutNulls(change), inherited);
  plain.origin = laneOf(record.type) === "message" ? { ...origin, ...saidBy(record.origin, change) } : origin;
  plain.contested = settled(record, change);
  return canonicalRecord(plain as unknown as MemoryRecord);
}

/** Do two versions say the same? Who said it last does not matter. */
export function saysTheSame(a: MemoryRecord, b: MemoryRecord): boolean {
  const [{ origin: _, ...one }, { origin: __, ...other }] = [a, b];
  return sameJson(one, other);
}

/** An editor of a message did not say it: speaker, conversation and turn stay. */
function saidBy({ actor, session, turn }: Origin, change: MemoryChange): Partial<Origin> {
  return {
    ...(actor !== undefined && { actor }),
    ...(session !== undefined && { session }),
    ...(turn !== undefined && change.turn === undefined && { turn }),
  };
}

const withoutNulls = (change: MemoryChange): MemoryInput =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null)) as MemoryInput;

function patched(attributes: JsonObject | undefined, change: JsonObject | null): JsonObject | undefined {
  if (change === null) return undefined;
  return Object.fromEntries(
    Object.entries({ ...attributes, ...copyJson(change) }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  );
}

const FIELD_OF: Readonly<Record<string, string>> = {
  parent: "place",
  position: "place",
  lifetime: "life",
  ttl: "life",
  expiresAt: "life",
};

function settled(record: MemoryRecord, change: MemoryChange): MemoryRecord["contested"] {
  if (!record.contested) return undefined;
  const named = new Set(Object.keys(change).map((name) => FIELD_OF[name] ?? name));
  for (const key of Object.keys(change.attributes ?? {})) named.add(`attributes.${key}`);
  return Object.fromEntries(
    Object.entries(record.contested).filter(([field]) => field !== "*" && !named.has(field)),
  );
}

function validOf({ from, to }: { readonly from?: string; readonly to?: string }): MemoryRecord["valid"] {
  return {
    ...(from !== undefined && { from: parseTime(from) }),
    ...(to !== undefined && { to: parseTime(to) }),
  };
}

/** When it is to end, if it is. */
function endOf({ ttl, expiresAt }: Ending, now: Timestamp): Timestamp | undefined {
  if (expiresAt !== undefined && expiresAt !== null) return parseTime(expiresAt);
  return ttl === undefined || ttl === null ? undefined : timestamp(Date.parse(now) + ttl);
}

type Ending = Pick<MemoryChange, "ttl" | "expiresAt">;

/** What would be gone before it is there is no memory: the writer hears that, and not that it was accepted. */
export function checkEnd(input: Ending, now: Timestamp): void {
  const ends = endOf(input, now);
  if (ends === undefined || ends > now) return;
  throw new PalimpsestError("INVALID_FIELD", `It would have ended at ${ends}, before it was written.`, {
    hint: "Give expiresAt a time to come, or leave it out; to end a memory, forget it.",
    data: { field: input.expiresAt === undefined ? "ttl" : "expiresAt" },
  });
}

/** How long it lives. What belongs to a session, or is temporary, ends a day later by default. */
function lifeOf(context: Context, input: MemoryInput, now: Timestamp): Partial<MemoryRecord> {
  const ends = endOf(input, now);
  const lifetime = input.lifetime ?? (ends ? "temporary" : "permanent");
  if (lifetime === "permanent") {
    if (ends)
      throw new PalimpsestError(
        "INVALID_FIELD",
        "A permanent memory has no end; leave out ttl and expiresAt.",
      );
    return {};
  }
  const end = ends ?? timestamp(Date.parse(now) + DAY);
  if (lifetime === "temporary") return { lifetime, expiresAt: end };
  if (context.sessionId === undefined)
    throw new PalimpsestError("SESSION_REQUIRED", "A memory of lifetime session needs a named session.");
  return { lifetime, session: context.sessionId, expiresAt: end };
}

/** A sensitive record is salted, once, so that its hash cannot be guessed from a short text. */
function secrecyOf(
  context: Context,
  sensitivity: MemoryInput["sensitivity"],
  salt: string | undefined,
): Partial<MemoryRecord> {
  if (sensitivity === undefined) return {};
  const drawn =
    salt ?? (sensitivity === "normal" ? undefined : Buffer.from(context.random(16)).toString("hex"));
  return { sensitivity, ...(drawn !== undefined && { salt: drawn }) };
}

/** What a new text says of a memory that is there, as its next version. How long and how surely the old one held is the old one's. */
export function nextVersion(old: MemoryRecord, fresh: MemoryRecord): MemoryRecord {
  const { triple, contested, confidence, valid, lifetime, expiresAt, session, ...kept } = old;
  return canonicalRecord({ ...kept, ...fresh, id: old.id });
}

/** A record that turned out to hold something personal. */
export const asPrivate = (context: Context, record: MemoryRecord): MemoryRecord =>
  canonicalRecord({ ...record, ...secrecyOf(context, "private", record.salt) });

/** Provenance of a write. Trust is the least of the door, the source's label and whatever it was derived from. */
function originOf(context: Context, input: MemoryInput, inherited: readonly Trust[]): Origin {
  const source = input.source ?? DEFAULT_SOURCE[context.author.kind];
  return {
    actor: input.speaker ?? context.agent,
    channel: context.channel,
    derivedFrom: input.derivedFrom ? [...new Set(input.derivedFrom)].sort() : undefined,
    evidence: input.evidence,
    session: input.conversation ?? context.sessionId,
    source,
    trust: trustOf(source, context.trust, inherited),
    turn: input.turn,
    uri: input.uri,
  } as Origin;
}

const DEFAULT_SOURCE = { user: "manual", operator: "operator", agent: "tool", system: "tool" } as const;

/** What the writer cannot see counts as absent, so that a hash is no oracle. */
async function trustOfSources(context: Context, hashes: readonly Hash[], reader: Reader): Promise<Trust[]> {
  const records = await reader.values("memory", hashes);
  return hashes.map((hash) => {
    const record = records.get(hash);
    return record && context.sight.seesRecord(record) ? record.origin.trust : "external";
  });
}
