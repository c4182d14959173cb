import { createHash } from "node:crypto";
import {
  type Hash,
  hashBytes,
  isHash,
  type JsonObject,
  MAIN,
  PalimpsestError,
  type Timestamp,
} from "../core/base/index.js";
import { decodeObject, encodeObject, GENESIS, SYSTEM, type Tombstone } from "../core/ledger/index.js";
import { firstHead, type ObjectKind, type Ref, type Storage, type StoredObject } from "../storage/index.js";
import { type OnProgress, Pace } from "./pace.js";
import { Findings } from "./problems.js";
import { readSnapshot } from "./reads.js";

/** Truth only: everything else is made again where it is restored. */
const SAVED = ["memory", "changeset", "commit", "note", "operation", "tombstone"] as const;
const ROUNDS = 5;

export interface BackupReport {
  readonly objects: number;
  readonly refs: number;
  /** The commit and root of `main`: worth keeping, see `verify --since`. */
  readonly head: string;
  readonly erased: number;
}

/**
 * All objects, refs and the operation log as of one version of the store, even while others write: nothing that is
 * stored ever changes, so that a later object is simply left out. An erasure meanwhile begins it anew.
 */
export async function writeBackup(
  storage: Storage,
  created: string,
  write: (text: string) => Promise<void>,
  restart: () => Promise<void>,
  onProgress?: OnProgress,
): Promise<BackupReport> {
  for (let round = 0; round < ROUNDS; round++) {
    const { epoch, seq, refs } = await readSnapshot(storage, new Findings());
    if (!refs)
      throw new PalimpsestError("DAMAGED", "The refs of the store cannot be read.", { hint: REPAIR });
    await firstHead(storage);
    const report = await writeOnce(storage, seq, refs, created, write, new Pace(onProgress));
    if ((await storage.version()).epoch === epoch) return report;
    await restart();
  }
  throw new PalimpsestError("STORE_BUSY", "Too much was erased during the backup.");
}

const REPAIR = "A backup of a damaged store would be no backup. Run `pal verify`, then `pal repair`.";

/** Between two calls of `write`: small parts cost more than they weigh. */
const PART = 256 * 1024;

async function writeOnce(
  storage: Storage,
  seq: number,
  refs: ReadonlyMap<string, Ref>,
  created: string,
  write: (text: string) => Promise<void>,
  pace: Pace,
): Promise<BackupReport> {
  const writer = new BackupWriter();
  const head = refs.get(`heads/${MAIN}`)?.target ?? GENESIS.hash;
  let part = writer.head([`Created: ${created}`, `Head: ${head}`]);
  const add = async (item: BackupItem) => {
    part += writer.item(item);
    if (part.length < PART) return;
    await write(part);
    part = "";
  };
  for (const ref of refs) await add({ ref });
  const seen = new Set<Hash>();
  for await (const { seq: at, ...object } of storage.scan({ kinds: SAVED })) {
    const pause = pace.step(at / seq);
    if (pause) await pause;
    if (at > seq || seen.has(object.hash)) continue;
    if (hashBytes(object.kind, object.bytes) !== object.hash)
      throw new PalimpsestError("DAMAGED", `The ${object.kind} ${object.hash.slice(0, 12)} is damaged.`, {
        hint: REPAIR,
      });
    seen.add(object.hash);
    await add({ object });
  }
  for (const op of await opsUpTo(storage, seq)) if (seen.has(op)) await add({ op });
  await write(part + writer.end());
  const missing = [...refs].find(([, { target }]) => !seen.has(target) && target !== GENESIS.hash);
  if (missing)
    throw new PalimpsestError("DAMAGED", `The ref ${missing[0]} leads to nothing that is stored.`, {
      hint: REPAIR,
    });
  const erased = [...refs.keys()].filter((name) => name.startsWith("erased/")).length;
  return { objects: seen.size, refs: refs.size, head, erased };
}

async function opsUpTo(storage: Storage, seq: number): Promise<Hash[]> {
  const newest: Hash[] = [];
  for (let before = seq + 1; before > 0; ) {
    const page = await storage.opsBefore(before, 4096);
    for (const hash of page.ops) newest.push(hash);
    if (page.seq >= before) break;
    before = page.seq;
  }
  return newest.reverse();
}

/** What a backup says apart from its objects, which went into the store that was to be filled. */
export interface Contents {
  readonly refs: ReadonlyMap<string, Ref>;
  readonly ops: readonly Hash[];
  readonly objects: number;
}

const PER_STEP = 1_000;

/** Puts the objects of a backup into a store, and answers what is to be said last. Ends at the first thing wrong. */
export async function fillFrom(
  storage: Storage,
  source: AsyncIterable<Uint8Array>,
  pace: Pace,
  part: () => number,
): Promise<Contents> {
  const refs = new Map<string, Ref>();
  const ops: Hash[] = [];
  let put: StoredObject[] = [];
  let objects = 0;
  const flush = async () => {
    const { epoch } = await storage.version();
    if (put.length > 0) await storage.transact({ put, refs: [], touch: [], ops: [], epoch });
    put = [];
  };
  for await (const item of readBackup(source)) {
    const pause = pace.step(part());
    if (pause) await pause;
    if ("ref" in item) refs.set(...item.ref);
    else if ("op" in item) ops.push(item.op);
    else {
      put.push({ ...item.object, bytes: new Uint8Array(item.object.bytes) });
      objects++;
      if (put.length >= PER_STEP) await flush();
    }
  }
  await flush();
  return { refs, ops, objects };
}

/** The bytes of a file, and how much of it has been read. */
export interface BackupFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  part(): number;
}

/** How a backup begins. An image of a store says the same and more, and can be restored as well. */
const BACKUP_MAGIC = ";; Palimpsest backup 1";
const MAGICS: readonly string[] = [BACKUP_MAGIC, ";; Palimpsest image 1"];
const KINDS: readonly string[] = ["memory", "changeset", "commit", "note", "operation", "tombstone"];
/** No object of ours is near this long. */
const LONGEST = 32 * 1024 * 1024;

/** One line of a backup. */
type BackupItem =
  | { readonly object: StoredObject }
  | { readonly ref: readonly [string, Ref] }
  | { readonly op: Hash };

/** Writes the lines of a backup: what it is, the items, and a digest of all before it. */
class BackupWriter {
  readonly #digest = createHash("sha256");

  head(about: readonly string[]): string {
    return [BACKUP_MAGIC, ...about.map((text) => `;; ${text}`)].map((text) => this.#line(text)).join("");
  }

  item(item: BackupItem): string {
    if ("ref" in item) return this.#line(`ref ${JSON.stringify({ name: item.ref[0], ...item.ref[1] })}`);
    if ("op" in item) return this.#line(`op ${item.op}`);
    const { kind, hash, bytes } = item.object;
    return this.#line(`object ${kind} ${hash} ${Buffer.from(bytes).toString()}`);
  }

  end(): string {
    return `end ${this.#digest.digest("hex")}\n`;
  }

  #line(text: string): string {
    this.#digest.update(`${text}\n`);
    return `${text}\n`;
  }
}

/** Reads a backup as it comes in, and never holds more of it than a line. The first thing that is wrong ends it. */
export async function* readBackup(source: AsyncIterable<Uint8Array>): AsyncGenerator<BackupItem> {
  const digest = createHash("sha256");
  let at = 0;
  let isOver = false;
  for await (const line of linesOf(source)) {
    at++;
    if (isOver) throw broken(at, "something follows the end");
    const text = line.toString("latin1", 0, 5);
    if (at === 1 && !MAGICS.includes(line.toString()))
      throw new PalimpsestError("INVALID_FILE", "This is no backup of a store.", {
        hint: "A backup is made by `pal backup`.",
      });
    if (text.startsWith("end ")) {
      if (line.toString("latin1", 4) !== digest.digest("hex")) throw broken(at, "its digest differs");
      isOver = true;
      continue;
    }
    digest.update(line).update("\n");
    const item = itemIn(line, at);
    if (item) yield item;
  }
  if (!isOver) throw broken(at, "the end is missing");
}

function itemIn(line: Buffer, at: number): BackupItem | undefined {
  const space = line.indexOf(0x20);
  const word = line.toString("latin1", 0, Math.max(0, Math.min(space, 16)));
  const rest = line.subarray(space + 1);
  // What is derived is made again, so that nobody can lie about it.
  if (word === ";;" || word === "event") return undefined;
  if (word === "op") return { op: hashIn(rest.toString("latin1", 0, 80), at) };
  if (word === "ref") return { ref: refIn(rest, at) };
  if (word === "object") return { object: objectIn(rest, at) };
  throw broken(at, "nobody knows what it says");
}

function objectIn(rest: Buffer, at: number): StoredObject {
  const space = rest.indexOf(0x20);
  const kind = rest.toString("latin1", 0, Math.max(0, Math.min(space, 16)));
  const hash = hashIn(rest.toString("latin1", space + 1, space + 65), at);
  const bytes = rest.subarray(space + 66);
  if (!KINDS.includes(kind) || rest[space + 65] !== 0x20 || hashBytes(kind as ObjectKind, bytes) !== hash)
    throw broken(at, "an object does not match its hash");
  return { kind: kind as ObjectKind, hash, bytes };
}

/** Names of our own making only: what they lead to is checked with the whole. */
const REF_NAME = /^(heads|tags|snapshots|staging|checkouts|erased|remotes)\/\S{1,1024}$/u;
const REF_LENGTH = 64 * 1024;

function refIn(rest: Buffer, at: number): readonly [string, Ref] {
  if (rest.length > REF_LENGTH) throw broken(at, "it is no ref");
  let value: { name?: unknown; target?: unknown; meta?: unknown };
  try {
    value = JSON.parse(rest.toString()) as typeof value;
  } catch {
    throw broken(at, "it is no JSON");
  }
  const { name, target, meta } = value ?? {};
  const isMeta = meta === undefined || (typeof meta === "object" && meta !== null && !Array.isArray(meta));
  if (typeof name !== "string" || !REF_NAME.test(name) || !isHash(target) || !isMeta)
    throw broken(at, "it is no ref");
  return [name, { target, ...(meta !== undefined && { meta: meta as JsonObject }) }];
}

function hashIn(text: string, at: number): Hash {
  if (!isHash(text)) throw broken(at, "it is no hash");
  return text;
}

function broken(at: number, why: string): PalimpsestError {
  return new PalimpsestError("DAMAGED", `The backup is damaged at line ${at}: ${why}.`, {
    hint: "Nothing was restored. Use another backup, or the store it was made from.",
  });
}

/** Lines without their end, as bytes. */
async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      const last = bytes.subarray(from, end);
      yield parts.length === 0 ? last : Buffer.concat([...parts, last]);
      [parts, length, from] = [[], 0, end + 1];
    }
    if (from === bytes.length) continue;
    parts.push(bytes.subarray(from));
    length += bytes.length - from;
    if (length > LONGEST) throw broken(0, "a line is longer than anything we write");
  }
  if (length > 0) yield Buffer.concat(parts);
}

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
