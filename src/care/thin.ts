import { setImmediate as nextTurn } from "node:timers/promises";
import { type Hash, hashBytes } from "../base/index.js";
import { type Commit, decodeObject, isCheckpoint, stateNodes } from "../ledger/index.js";
import { isNeed } from "../merkle/index.js";
import type { Storage } from "../storage/index.js";
import { Pace } from "./pace.js";

/** How far the store is thinned, as a seq; may be lost, then all is looked at again. */
const MARK = "thinned";
const SLICE = 500;
/** The lease under which it is done: several at once would do the same work. */
export const THINNING = "thin";

/**
 * Drops the nodes that no kept state needs: kept are the states of all refs and of every checkpoint. Nodes are
 * derived data, so a mistake here could cost time but never a memory: readers fold what is missing again.
 * Only what was written since the last time is looked at, because a state needs no node younger than itself.
 */
export async function thinNodes(storage: Storage, mayGoOn = () => true): Promise<number> {
  const mark = await storage.side(MARK);
  const after = Number(mark ?? 0);
  const { seq: upTo } = await storage.version();
  const { nodes, checkpoints } = await written(storage, after);
  const roots = [...checkpoints, ...(await refRoots(storage))];
  const live = await liveNodes(storage, roots, (hash) => nodes.has(hash));
  const doomed = [...nodes].filter((hash) => !live.has(hash));
  for (let at = 0; at < doomed.length; at += SLICE) {
    if (!mayGoOn()) return at;
    await storage.remove(doomed.slice(at, at + SLICE), { after, upTo });
    // A lease gives its signs of life between the slices.
    await nextTurn();
  }
  await storage.setSide(MARK, String(upTo), mark ?? null);
  return doomed.length;
}

/** Nodes written since the mark, and the roots of the checkpoints among the commits. */
async function written(storage: Storage, after: number) {
  const nodes = new Set<Hash>();
  const commits = new Map<Hash, Commit>();
  const pace = new Pace(undefined);
  for await (const { kind, hash, bytes } of storage.scan({ kinds: ["node", "commit"], after })) {
    if (kind === "node") nodes.add(hash);
    else if (hashBytes("commit", bytes) === hash) commits.set(hash, decodeObject("commit", bytes));
    const pause = pace.step();
    if (pause) await pause;
  }
  const checkpoints: Hash[] = [];
  for (const { generation, parents, root } of commits.values()) {
    const parent = parents[0] && (commits.get(parents[0]) ?? (await readCommit(storage, parents[0])));
    if (parent && isCheckpoint(generation, parent.generation)) checkpoints.push(root);
    const pause = pace.step();
    if (pause) await pause;
  }
  return { nodes, checkpoints };
}

async function readCommit(storage: Storage, hash: Hash): Promise<Commit | undefined> {
  const bytes = await storage.get(hash);
  return bytes && hashBytes("commit", bytes) === hash ? decodeObject("commit", bytes) : undefined;
}

async function refRoots(storage: Storage): Promise<Hash[]> {
  const roots: Hash[] = [];
  for (const { target } of (await storage.refs("")).values()) {
    const commit = await readCommit(storage, target);
    if (commit) roots.push(commit.root);
  }
  return roots;
}

/** Walks kept states downwards through young nodes only; what is missing or damaged there is nobody's loss. */
async function liveNodes(
  storage: Storage,
  roots: readonly Hash[],
  isYoung: (hash: Hash) => boolean,
): Promise<Set<Hash>> {
  const known = new Map<Hash, Uint8Array>();
  const absent = new Set<Hash>();
  for (;;) {
    const found = stateNodes(
      roots,
      (hash) => known.get(hash),
      (hash) => isYoung(hash) && !absent.has(hash),
    );
    if (!isNeed(found)) return found.nodes;
    const fetched = await storage.getMany(found.need);
    for (const hash of found.need) {
      const bytes = fetched.get(hash);
      if (bytes && hashBytes("node", bytes) === hash) known.set(hash, bytes);
      else absent.add(hash);
    }
  }
}
