import { type Hash, HashSet } from "../core/base/index.js";
import { isCheckpoint, type Tip } from "../core/ledger/index.js";
import { nodeAge, type Storage, type StoredObject } from "../storage/index.js";
import type { Chain } from "./chain.js";
import type { Inventory } from "./objects.js";
import type { States } from "./states.js";

const SLICE = 500;
const NOTHING = { refs: [], touch: [], ops: [] } as const;

/** Stores the nodes of the states that readers start from, while a history is folded. */
export class CheckpointNodes {
  readonly #stored = new HashSet();

  constructor(
    readonly storage: Storage,
    readonly chain: Chain,
    readonly inventory: Inventory,
  ) {}

  /** How many were stored. */
  get size(): number {
    return this.#stored.size;
  }

  /** Those of a commit that `states` has just advanced to, if they are to be kept. */
  async keep(tip: Tip, states: States): Promise<void> {
    if (!this.#isKept(tip)) return;
    let put: StoredObject[] = [];
    const flush = async () => {
      const { epoch } = await this.storage.version();
      if (put.length > 0) await this.storage.transact({ ...NOTHING, put, epoch });
      put = [];
    };
    // Some at a time, the root last: a state counts as stored when its root is.
    for (const node of states.nodesOf(tip.commit.root, (hash) => !this.#stored.has(hash))) {
      if (this.#stored.add(node.hash)) put.push(node);
      if (put.length >= SLICE) await flush();
    }
    await flush();
    await this.storage.tend();
  }

  /** The state of a ref, or of the first commit of a block. */
  #isKept({ hash, commit }: Tip): boolean {
    const parent = commit.parents[0] && this.inventory.commits.get(commit.parents[0]);
    return (
      this.chain.targets.has(hash) ||
      (parent !== undefined && isCheckpoint(commit.generation, parent.generation))
    );
  }
}

/** Takes all nodes over, in the steps in which they were stored, unless somebody drops nodes meanwhile. */
export async function copyNodes(from: Storage, to: Storage): Promise<void> {
  const guard = await nodeAge(to);
  const { epoch } = await to.version();
  let [put, step]: [StoredObject[], number] = [[], 0];
  const flush = async () => {
    const nodes = put;
    put = [];
    return nodes.length === 0 || (await to.transact({ ...NOTHING, put: nodes, epoch, guard })) === "ok";
  };
  for await (const { hash, kind, bytes, seq } of from.scan({ kinds: ["node"] })) {
    if (seq !== step && !(await flush())) return;
    put.push({ hash, kind, bytes });
    step = seq;
  }
  await flush();
}

export async function dropNodes(storage: Storage): Promise<void> {
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
