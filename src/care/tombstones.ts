import { type Hash, hashBytes, type Timestamp } from "../core/base/index.js";
import { decodeObject, encodeObject, SYSTEM, type Tombstone } from "../core/ledger/index.js";
import type { Storage, StoredObject } from "../storage/index.js";
import { readBackup } from "./backup-lines.js";

/** The tombstones that a store knows. */
export async function tombstonesIn(storage: Storage): Promise<StoredObject[]> {
  const refs = await storage.refs("erased/");
  const named = new Set([...refs.values()].map(({ target }) => target));
  const found: StoredObject[] = [];
  for await (const { hash, kind, bytes } of storage.scan({ kinds: ["tombstone"] }))
    if (named.has(hash) && hashBytes(kind, bytes) === hash) found.push({ hash, kind, bytes });
  return found;
}

/** The tombstones in a backup, which is read to its end. */
export async function tombstonesFrom(source: AsyncIterable<Uint8Array>): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const item of readBackup(source))
    if ("object" in item && item.object.kind === "tombstone")
      found.push({ ...item.object, bytes: new Uint8Array(item.object.bytes) });
  return found;
}

/** Erases from a store what others have erased: the records they name, and what was said of their commits. */
export async function applyTombstones(
  storage: Storage,
  tombstones: readonly StoredObject[],
  time: Timestamp,
): Promise<number> {
  const known = await storage.refs("erased/");
  const fresh = tombstones.filter(({ hash }) => !known.has(`erased/${hash}`));
  if (fresh.length === 0) return 0;
  const values = fresh.map(({ bytes }) => decodeObject("tombstone", bytes));
  const operation = encodeObject("operation", {
    author: SYSTEM,
    refs: fresh.map(({ hash }) => ({ after: hash, name: `erased/${hash}` })),
    time,
    v: 1,
    verb: "erase",
  });
  const objects = [...values.flatMap(({ records }) => records), ...(await notesOf(storage, values))];
  await storage.transact({
    put: [...fresh, operation],
    refs: fresh.map(({ hash }) => ({ name: `erased/${hash}`, expect: null, next: { target: hash } })),
    touch: [],
    ops: [operation.hash],
    epoch: (await storage.version()).epoch,
    erase: { objects, texts: [], notes: [] },
  });
  return fresh.length;
}

/** Notes of commits that touched an erased key, unless other commits have the very same. */
async function notesOf(storage: Storage, values: readonly Tombstone[]): Promise<Hash[]> {
  const keys = new Set(values.map(({ scope, id }) => scope + id));
  const notes = new Map<Hash, { changeset: Hash; note: Hash }[]>();
  for await (const { hash, bytes } of storage.scan({ kinds: ["commit"] })) {
    if (hashBytes("commit", bytes) !== hash) continue;
    const { changeset, note } = decodeObject("commit", bytes);
    if (note) notes.set(changeset, [...(notes.get(changeset) ?? []), { changeset, note }]);
  }
  const [own, others] = [new Set<Hash>(), new Set<Hash>()];
  for await (const { hash, bytes } of storage.scan({ kinds: ["changeset"] })) {
    const about = notes.get(hash);
    if (!about || hashBytes("changeset", bytes) !== hash) continue;
    const { events } = decodeObject("changeset", bytes);
    const isTouched = events.some(({ scope, id }) => keys.has(scope + id));
    for (const { note } of about) (isTouched ? own : others).add(note);
  }
  return [...own].filter((note) => !others.has(note));
}
