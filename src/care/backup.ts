import { type Hash, hashBytes, MAIN, PalimpsestError } from "../core/base/index.js";
import { GENESIS } from "../core/ledger/index.js";
import { firstHead, type Ref, type Storage, type StoredObject } from "../storage/index.js";
import { type BackupItem, BackupWriter, readBackup } from "./backup-lines.js";
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
 * All objects, refs and the operation log as of one version of the store, whoever writes meanwhile: nothing that is
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
