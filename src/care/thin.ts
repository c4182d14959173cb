import { grown, type Hash, HashSet, hashBytes, hashFromBytes, hashToBytes } from "../core/base/index.js";
import { type Commit, decodeObject, isCheckpoint } from "../core/ledger/index.js";
import { namesOf } from "../core/merkle/index.js";
import { acquireLease, beginNodeAge, type Storage } from "../storage/index.js";
import { inSlices, type OnProgress, Pace } from "./pace.js";

/** How far the store is thinned, as a seq; may be lost, then all is looked at again. */
const MARK = "thinned";
/** The lease under which it is done: several at once would do the same work. */
export const THINNING = "thin";

/** Thins in one process at a time, for all of them; a process that finds another at it leaves it to that one. */
export async function thinInTurn(storage: Storage): Promise<void> {
  const lease = await acquireLease(storage, THINNING);
  if (!lease) return;
  try {
    await thinNodes(storage, () => lease.isHeld);
  } finally {
    await lease.release();
  }
}

/** Nodes written after a mark, each with those of them that it names. */
type Young = Omit<NodeGraph, "add" | "link">;
/** A one for each of them that is meant. */
type Marks = Uint8Array;

/**
 * Drops the nodes that no kept state needs: kept are the states of all refs, or the stored ones nearest to them, and those of
 * every checkpoint. Nodes are derived data, so a mistake here could cost time but never a memory: readers fold what is
 * missing again. Only what was written since the last time is looked at, because a state needs no node younger than itself.
 *
 * Writers go on meanwhile, and what they store leans on what is there. So first the roots go, then a new age begins; what
 * leans on the rest was stored before that, and is looked at once more.
 */
export async function thinNodes(
  storage: Storage,
  mayGoOn = () => true,
  onProgress?: OnProgress,
): Promise<number> {
  const pace = new Pace(onProgress);
  const mark = await storage.side(MARK);
  const after = Number(mark ?? 0);
  const { seq: upTo } = await storage.version();
  pace.stretch(0, 0.1);
  const commits = await commitsSince(storage, after, upTo, pace);
  pace.stretch(0.1, 0.3);
  const young = await nodesSince(storage, after, upTo, pace);
  const roots = [...(await checkpoints(storage, commits)), ...(await heads(storage, commits, young))];
  const kept = await below(
    young,
    roots.flatMap((root) => young.numberOf(root) ?? []),
    pace,
  );
  const { outer, inner } = await without(kept, young, pace);

  let dropped = 0;
  let met = 0;
  pace.stretch(0.3, 1);
  const drop = (numbers: Uint32Array) =>
    inSlices(numbers, mayGoOn, async (slice) => {
      const hashes = Array.from(slice, (number) => young.hashOf(number));
      dropped += await storage.remove(hashes, { after, upTo });
      met += slice.length;
      await pace.step(met / (outer.length + inner.length));
    });
  await drop(outer);
  await beginNodeAge(storage);
  const leantOn = await below(young, await namedSince(storage, upTo, young, pace), pace);
  await drop(inner.filter((number) => leantOn[number] === 0));
  if (mayGoOn()) await storage.setSide(MARK, String(upTo), mark ?? null);
  return dropped;
}

async function commitsSince(
  storage: Storage,
  after: number,
  upTo: number,
  pace: Pace,
): Promise<Map<Hash, Commit>> {
  const commits = new Map<Hash, Commit>();
  for await (const { hash, bytes, seq } of storage.scan({ kinds: ["commit"], after })) {
    if (hashBytes("commit", bytes) === hash) commits.set(hash, decodeObject("commit", bytes));
    const pause = pace.step((seq - after) / (upTo - after));
    if (pause) await pause;
  }
  return commits;
}

async function nodesSince(storage: Storage, after: number, upTo: number, pace: Pace): Promise<Young> {
  const young = new NodeGraph();
  for await (const { hash, seq } of storage.scan({ kinds: ["node"], after })) {
    young.add(hash);
    const pause = pace.step((seq - after) / (upTo - after));
    if (pause) await pause;
  }
  for await (const [hash, bytes] of wholeNodes(storage, after, pace)) {
    const number = young.numberOf(hash);
    if (bytes && number !== undefined) young.link(number, namesOf(bytes));
  }
  return young;
}

/** What nodes written after this name of the young ones. */
async function namedSince(storage: Storage, after: number, young: Young, pace: Pace): Promise<number[]> {
  const named = new Set<number>();
  for await (const [, bytes] of wholeNodes(storage, after, pace))
    for (const name of bytes ? namesOf(bytes) : []) {
      const number = young.numberOf(name);
      if (number !== undefined) named.add(number);
    }
  return [...named];
}

/** With the bytes of those that are whole. */
async function* wholeNodes(
  storage: Storage,
  after: number,
  pace: Pace,
): AsyncGenerator<[Hash, Uint8Array | undefined]> {
  for await (const { hash, bytes } of storage.scan({ kinds: ["node"], after })) {
    yield [hash, hashBytes("node", bytes) === hash ? bytes : undefined];
    const pause = pace.step();
    if (pause) await pause;
  }
}

async function checkpoints(storage: Storage, commits: ReadonlyMap<Hash, Commit>): Promise<Hash[]> {
  const roots: Hash[] = [];
  for (const { generation, parents, root } of commits.values()) {
    const parent = parents[0] && (commits.get(parents[0]) ?? (await readCommit(storage, parents[0])));
    if (parent && isCheckpoint(generation, parent.generation)) roots.push(root);
  }
  return roots;
}

async function readCommit(storage: Storage, hash: Hash): Promise<Commit | undefined> {
  const bytes = await storage.get(hash);
  return bytes && hashBytes("commit", bytes) === hash ? decodeObject("commit", bytes) : undefined;
}

/** The roots from which the states of the refs are read: most states are not stored themselves. */
async function heads(storage: Storage, commits: ReadonlyMap<Hash, Commit>, young: Young): Promise<Hash[]> {
  const roots: Hash[] = [];
  for (const { target } of (await storage.refs("")).values()) {
    let commit = commits.get(target) ?? (await readCommit(storage, target));
    while (commit && !young.has(commit.root)) commit = commits.get(commit.parents[0] as Hash);
    if (commit) roots.push(commit.root);
  }
  return roots;
}

/** Everything that these lead to. */
async function below(young: Young, starts: readonly number[], pace: Pace): Promise<Marks> {
  const found = new Uint8Array(young.size);
  const ahead = [...starts];
  for (let number = ahead.pop(); number !== undefined; number = ahead.pop()) {
    if (found[number]) continue;
    found[number] = 1;
    ahead.push(...young.namedBy(number));
    const pause = pace.step();
    if (pause) await pause;
  }
  return found;
}

/** The others: those that none of them names, and the rest. */
async function without(
  kept: Marks,
  young: Young,
  pace: Pace,
): Promise<{ outer: Uint32Array; inner: Uint32Array }> {
  const named = new Uint8Array(young.size);
  for (let number = 0; number < young.size; number++) {
    if (kept[number]) continue;
    for (const name of young.namedBy(number)) named[name] = 1;
    const pause = pace.step();
    if (pause) await pause;
  }
  const doomed = Uint32Array.from(named.keys()).filter((number) => kept[number] === 0);
  return {
    outer: doomed.filter((number) => named[number] === 0),
    inner: doomed.filter((number) => named[number] === 1),
  };
}

const CHUNK = 1 << 20;
const LENGTH = 4;

interface Chunk {
  readonly bytes: Buffer;
  used: number;
  /** What of it is still wanted; when that is less than half, it is moved and the chunk let go. */
  live: number;
  readonly hashes: Hash[];
}

interface Place {
  readonly chunk: Chunk;
  readonly at: number;
}

/**
 * Nodes under their hashes, side by side: each on its own would take several times its size, because a few that stay keep
 * alive the memory of many that went.
 */
export class NodeHeap {
  readonly #places = new Map<Hash, Place>();
  #open = newChunk(CHUNK);

  get size(): number {
    return this.#places.size;
  }

  keys(): Iterable<Hash> {
    return this.#places.keys();
  }

  get(hash: Hash): Uint8Array | undefined {
    const place = this.#places.get(hash);
    return place && nodeAt(place);
  }

  set(hash: Hash, node: Uint8Array): void {
    if (this.#places.has(hash)) return;
    const size = LENGTH + node.length;
    if (this.#open.used + size > this.#open.bytes.length) this.#open = newChunk(Math.max(CHUNK, size));
    const chunk = this.#open;
    const at = chunk.used;
    chunk.bytes.writeUInt32LE(node.length, at);
    chunk.bytes.set(node, at + LENGTH);
    chunk.hashes.push(hash);
    chunk.used += size;
    chunk.live += size;
    this.#places.set(hash, { chunk, at });
  }

  delete(hash: Hash): void {
    const place = this.#places.get(hash);
    if (!place) return;
    this.#places.delete(hash);
    const { chunk } = place;
    chunk.live -= LENGTH + nodeAt(place).length;
    if (chunk !== this.#open && chunk.live * 2 < chunk.used) this.#move(chunk);
  }

  clear(): void {
    this.#places.clear();
    this.#open = newChunk(CHUNK);
  }

  #move(chunk: Chunk): void {
    for (const hash of chunk.hashes.splice(0)) {
      const place = this.#places.get(hash);
      if (place?.chunk !== chunk) continue;
      this.#places.delete(hash);
      this.set(hash, nodeAt(place));
    }
  }
}

const newChunk = (size: number): Chunk => ({
  bytes: Buffer.allocUnsafeSlow(size),
  used: 0,
  live: 0,
  hashes: [],
});

function nodeAt({ chunk: { bytes }, at }: Place): Uint8Array {
  const start = at + LENGTH;
  return bytes.subarray(start, start + bytes.readUInt32LE(at));
}

const HASH = 32;

/**
 * Nodes by number, each with those of them that it names. A long run of writes leaves hundreds of thousands, which as
 * strings would take ten times the room.
 */
export class NodeGraph {
  readonly #numbers = new HashSet();
  #hashes = new Uint8Array(64 * HASH);
  /** Where the names of each node begin, and how many there are. */
  #starts = new Uint32Array(64);
  #counts = new Uint32Array(64);
  #names = new Uint32Array(64);
  #named = 0;

  get size(): number {
    return this.#numbers.size;
  }

  add(hash: Hash): void {
    const number = this.size;
    if (!this.#numbers.add(hash)) return;
    if (number === this.#starts.length) {
      this.#hashes = grown(this.#hashes);
      this.#starts = grown(this.#starts);
      this.#counts = grown(this.#counts);
    }
    this.#hashes.set(hashToBytes(hash), number * HASH);
  }

  has(hash: Hash): boolean {
    return this.#numbers.has(hash);
  }
  numberOf(hash: Hash): number | undefined {
    return this.#numbers.numberOf(hash);
  }
  hashOf(number: number): Hash {
    return hashFromBytes(this.#hashes, number * HASH);
  }

  /** Says what a node names; what is no node of these is left out. */
  link(number: number, names: readonly Hash[]): void {
    this.#starts[number] = this.#named;
    for (const name of names) {
      const named = this.numberOf(name);
      if (named === undefined) continue;
      if (this.#named === this.#names.length) this.#names = grown(this.#names);
      this.#names[this.#named++] = named;
    }
    this.#counts[number] = this.#named - this.#starts[number];
  }

  namedBy(number: number): Uint32Array {
    const start = this.#starts[number] as number;
    return this.#names.subarray(start, start + (this.#counts[number] as number));
  }
}
