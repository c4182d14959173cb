import { type Hash, hashBytes } from "../base/index.js";
import { isCheckpoint, type Tip, type Touch } from "../ledger/index.js";
import { beginNodeAge, type Storage, type StoredObject, type TouchedBy } from "../storage/index.js";
import { checkChain } from "./chain.js";
import { withEvents } from "./changesets.js";
import { type Inventory, takeInventory } from "./objects.js";
import { type OnProgress, Pace } from "./pace.js";
import { Findings } from "./problems.js";
import { readSnapshot } from "./reads.js";
import { States } from "./states.js";
import { isOf, TouchMaker } from "./touch-maker.js";

export interface RebuildReport {
  /** Touch rows that were made. */
  readonly events: number;
  /** Nodes that are stored now, of the states that are kept. */
  readonly nodes: number;
}

export interface RebuildOptions {
  /** What is stored of nodes stays: a state that cannot be folded any more may still be read from them. */
  readonly keepNodes?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

const SLICE = 500;

/** Makes everything derived again from objects and refs: touch rows, indexes, nodes. What is lost stays lost. */
export async function rebuildStore(storage: Storage, options: RebuildOptions = {}): Promise<RebuildReport> {
  const pace = new Pace(options.onProgress);
  const findings = new Findings();
  const { seq, refs = new Map() } = await readSnapshot(storage, findings);
  pace.stretch(0, 0.5);
  const inventory = await takeInventory(storage, seq, findings, pace);
  pace.stretch(0.5, 0.7);
  const made = await makeRows(storage, seq, inventory, pace);
  await storage.rebuild(made.rows(), seq);
  if (!options.keepNodes) {
    await dropNodes(storage);
    // What writers stored meanwhile may lean on what was just dropped; what they store from now on does not.
    await beginNodeAge(storage);
    await dropNodes(storage);
  }
  const chain = checkChain(refs, inventory, findings);
  const states = new States(storage, chain, inventory, findings, undefined);
  const stored = new Set<Hash>();
  pace.stretch(0.7, 1);
  let followed = 0;
  for await (const { tip, events } of withEvents(storage, chain.order, inventory)) {
    const isKnown = await states.advance(tip, events);
    if (isKnown && isKept(tip, chain.targets, inventory))
      await putNodes(storage, states.nodesOf(tip.commit.root), stored);
    await pace.step(++followed / chain.order.length);
  }
  await storage.tend();
  pace.end();
  return { events: made.count, nodes: stored.size };
}

/** The states that readers start from: of refs, and of the first commit of every block. */
function isKept({ hash, commit }: Tip, targets: ReadonlySet<Hash>, { commits }: Inventory): boolean {
  const parent = commit.parents[0] && commits.get(commit.parents[0]);
  return targets.has(hash) || (parent !== undefined && isCheckpoint(commit.generation, parent.generation));
}

async function putNodes(
  storage: Storage,
  nodes: ReadonlyMap<Hash, Uint8Array>,
  stored: Set<Hash>,
): Promise<void> {
  const put: StoredObject[] = [];
  for (const [hash, bytes] of nodes) {
    if (stored.has(hash)) continue;
    stored.add(hash);
    put.push({ kind: "node", hash, bytes });
  }
  if (put.length === 0) return;
  const { epoch } = await storage.version();
  await storage.transact({ put, refs: [], touch: [], ops: [], epoch });
}

async function dropNodes(storage: Storage): Promise<void> {
  let doomed: Hash[] = [];
  const { seq: upTo } = await storage.version();
  for await (const { hash } of storage.scan({ kinds: ["node"] })) {
    doomed.push(hash);
    if (doomed.length < SLICE) continue;
    await storage.remove(doomed, { after: 0, upTo });
    doomed = [];
  }
  await storage.remove(doomed, { after: 0, upTo });
}

/** The rows of all commits, by the transaction that a commit came with. */
async function makeRows(storage: Storage, upTo: number, inventory: Inventory, pace: Pace) {
  const places = new Map<Hash, number>();
  for await (const { hash, bytes, seq } of storage.scan({ kinds: ["commit"] }))
    if (seq <= upTo && !places.has(hash) && hashBytes("commit", bytes) === hash) places.set(hash, seq);
  const stored = await storedRows(storage, upTo);
  const tips: Tip[] = [];
  for (const hash of places.keys()) {
    const commit = inventory.commits.get(hash);
    if (commit) tips.push({ hash, commit });
  }
  inOrder(tips);
  const maker = new TouchMaker(inventory);
  const bySeq = new Map<number, Touch[]>();
  let count = 0;
  let followed = 0;
  for await (const { tip, events } of withEvents(storage, tips, inventory)) {
    const known = stored.get(tip.hash) ?? [];
    const rows = (events ?? []).map((event) =>
      maker.make(
        event,
        tip,
        known.find((row) => isOf(event, row)),
      ),
    );
    const seq = places.get(tip.hash) as number;
    const there = bySeq.get(seq);
    if (there) there.push(...rows);
    else bySeq.set(seq, rows);
    count += rows.length;
    await pace.step(++followed / tips.length);
  }
  async function* rows(): AsyncGenerator<TouchedBy> {
    for (const seq of [...bySeq.keys()].sort((a, b) => a - b))
      yield { seq, touch: bySeq.get(seq) as Touch[] };
  }
  return { rows, count };
}

/** As they were written, which is parents before children, unless somebody has mixed them up. */
function inOrder(tips: Tip[]): void {
  const seen = new Set<Hash>();
  const isMixed = tips.some(({ hash, commit }) => {
    seen.add(hash);
    return commit.parents.some((parent) => !seen.has(parent));
  });
  if (isMixed) tips.sort((a, b) => a.commit.generation - b.commit.generation);
}

/** What is kept of touch rows: only an erased or damaged record's own details are taken from there. */
async function storedRows(storage: Storage, upTo: number): Promise<Map<Hash, Touch[]>> {
  const found = new Map<Hash, Touch[]>();
  for (let after = 0; after < upTo; ) {
    const page = await readPage(storage, after);
    for (const row of page.touch) {
      const known = found.get(row.commit);
      if (known) known.push(row);
      else found.set(row.commit, [row]);
    }
    if (page.seq <= after) break;
    after = page.seq;
  }
  return found;
}

/** A page that cannot be read tells nothing; the next one may. */
async function readPage(storage: Storage, after: number): Promise<{ seq: number; touch: Touch[] }> {
  try {
    return await storage.touchSince(after, SLICE);
  } catch {
    return { seq: after + 1, touch: [] };
  }
}
