import { type Hash, hashBytes } from "../base/index.js";
import { type Commit, decodeObject, isCheckpoint, stateNodes } from "../ledger/index.js";
import { isNeed } from "../merkle/index.js";
import type { Storage } from "../storage/index.js";

/** How far the store is thinned, as the seq of the last checkpoint; may be lost, then all is looked at again. */
const MARK = "thinned";
const SLICE = 500;

/**
 * Drops the nodes that no kept state needs: kept are the states of all refs and of every checkpoint. Nodes are
 * derived data, so a mistake here could cost time but never a memory: readers fold what is missing again.
 * Only what was written between two checkpoints is looked at, because a state needs no node younger than itself.
 */
export async function thinNodes(storage: Storage): Promise<number> {
  const after = Number((await storage.side(MARK)) ?? 0);
  const { nodes, checkpoints, upTo } = await window(storage, after);
  if (upTo === undefined) return 0;
  const roots = [...checkpoints, ...(await refRoots(storage))];
  const live = await liveNodes(storage, roots, (hash) => nodes.has(hash));
  const doomed = [...nodes].filter(([hash, seq]) => seq <= upTo && !live.has(hash)).map(([hash]) => hash);
  for (let at = 0; at < doomed.length; at += SLICE)
    await storage.remove(doomed.slice(at, at + SLICE), { after, upTo });
  await storage.setSide(MARK, String(upTo));
  return doomed.length;
}

/** Nodes written since the mark, with the checkpoints among the commits and where the last of them lies. */
async function window(storage: Storage, after: number) {
  const nodes = new Map<Hash, number>();
  const commits = new Map<Hash, Commit & { readonly seq: number }>();
  for await (const { kind, hash, bytes, seq } of storage.scan({ kinds: ["node", "commit"], after })) {
    if (kind === "node") nodes.set(hash, seq);
    else if (hashBytes("commit", bytes) === hash)
      commits.set(hash, { ...decodeObject("commit", bytes), seq });
  }
  const checkpoints: Hash[] = [];
  let upTo: number | undefined;
  for (const { generation, parents, root, seq } of commits.values()) {
    const parent = parents[0] && (commits.get(parents[0]) ?? (await readCommit(storage, parents[0])));
    if (!parent || !isCheckpoint(generation, parent.generation)) continue;
    checkpoints.push(root);
    upTo = Math.max(upTo ?? 0, seq);
  }
  return { nodes, checkpoints, upTo };
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
