import { type Hash, HashSet } from "../base/index.js";
import { isCheckpoint, type Tip } from "../ledger/index.js";
import { beginNodeAge, type Storage, type StoredObject } from "../storage/index.js";
import { checkChain } from "./chain.js";
import { withEvents } from "./changesets.js";
import { type Inventory, takeInventory } from "./objects.js";
import { type OnProgress, Pace } from "./pace.js";
import { Findings } from "./problems.js";
import { readSnapshot } from "./reads.js";
import { RowMaking } from "./row-making.js";
import { States } from "./states.js";

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
  const events = await makeRows(storage, seq, inventory, pace);
  if (!options.keepNodes) {
    await dropNodes(storage);
    // What writers stored meanwhile may lean on what was just dropped; what they store from now on does not.
    await beginNodeAge(storage);
    await dropNodes(storage);
  }
  const chain = checkChain(refs, inventory, findings);
  const states = new States(storage, chain, inventory, findings, undefined);
  const stored = new HashSet();
  pace.stretch(0.7, 1);
  let followed = 0;
  for await (const { tip, events } of withEvents(storage, chain.order, inventory)) {
    const isKnown = await states.advance(tip, events);
    if (isKnown && isKept(tip, chain.targets, inventory))
      await putNodes(
        storage,
        states.nodesOf(tip.commit.root, (hash) => !stored.has(hash)),
        stored,
      );
    await pace.step(++followed / chain.order.length);
  }
  await storage.tend();
  pace.end();
  return { events, nodes: stored.size };
}

/** Answers how many. What it takes to make them is let go before states are folded. */
async function makeRows(storage: Storage, seq: number, inventory: Inventory, pace: Pace): Promise<number> {
  const rows = new RowMaking(storage, seq, inventory, pace);
  await storage.rebuild(rows.make(), seq);
  return rows.count;
}

/** The states that readers start from: of refs, and of the first commit of every block. */
function isKept({ hash, commit }: Tip, targets: ReadonlySet<Hash>, { commits }: Inventory): boolean {
  const parent = commit.parents[0] && commits.get(commit.parents[0]);
  return targets.has(hash) || (parent !== undefined && isCheckpoint(commit.generation, parent.generation));
}

/** Some at a time, the root last: a state counts as stored when its root is. */
async function putNodes(storage: Storage, nodes: Iterable<StoredObject>, stored: HashSet): Promise<void> {
  let put: StoredObject[] = [];
  const flush = async () => {
    const { epoch } = await storage.version();
    if (put.length > 0) await storage.transact({ put, refs: [], touch: [], ops: [], epoch });
    put = [];
  };
  for (const node of nodes) {
    if (stored.add(node.hash)) put.push(node);
    if (put.length >= SLICE) await flush();
  }
  await flush();
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
