import { type Hash, hashBytes } from "../core/base/index.js";
import { type Commit, decodeObject, isCheckpoint } from "../core/ledger/index.js";
import { namesOf } from "../core/merkle/index.js";
import { acquireLease, beginNodeAge, type Storage } from "../storage/index.js";
import { NodeGraph } from "./node-graph.js";
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
