import type { Hash } from "../base/index.js";
import { isCheckpoint, stateNodesBeyond, storesNodes, type Tip } from "../ledger/index.js";
import { type Guard, nodeAge } from "../storage/index.js";
import type { Reader } from "./reader.js";

/** A commit of a batch, before it is durable. */
export interface Sealed {
  readonly tip: Tip;
  readonly parent: Tip;
  /** Those of its state that its parent's lacks. */
  readonly nodes: ReadonlyMap<Hash, Uint8Array>;
  readonly events: number;
}

const isKept = ({ tip, parent }: Sealed): boolean =>
  isCheckpoint(tip.commit.generation, parent.commit.generation);
export const isDue = ({ tip, parent, events }: Sealed): boolean =>
  storesNodes(tip.commit.generation, parent.commit.generation, events);

export interface ToStore {
  readonly nodes: ReadonlyMap<Hash, Uint8Array>;
  /** How many of them may go again. */
  readonly droppable: number;
  /** The root of the last state that is stored with them. */
  readonly last: Hash | undefined;
  /** They lean on what was stored in this age. */
  readonly guard: Guard | undefined;
}

export const NOTHING_TO_STORE: ToStore = {
  nodes: new Map(),
  droppable: 0,
  last: undefined,
  guard: undefined,
};

/**
 * The nodes of the kept states of a batch, and of the last one that is due. `own` are those that were made in the
 * batch: what a state has beyond the last that is stored is then found without folding anything again.
 */
export async function nodesToStore(
  reader: Reader,
  batch: readonly Sealed[],
  own: ReadonlyMap<Hash, Uint8Array>,
): Promise<ToStore> {
  const due = batch.filter(isDue);
  const guard = await nodeAge(reader.storage);
  const nodes = new Map<Hash, Uint8Array>();
  let droppable = 0;
  let last: Hash | undefined;
  for (const sealed of due.filter((item, at) => isKept(item) || at === due.length - 1)) {
    const made = await beyond(reader, sealed, last, own);
    for (const [hash, bytes] of made) nodes.set(hash, bytes);
    if (!isKept(sealed)) droppable += made.size;
    last = sealed.tip.commit.root;
  }
  return { nodes, droppable, last, guard };
}

async function beyond(
  reader: Reader,
  { tip, parent, nodes }: Sealed,
  last: Hash | undefined,
  own: ReadonlyMap<Hash, Uint8Array>,
): Promise<ReadonlyMap<Hash, Uint8Array>> {
  const { root } = parent.commit;
  if (root === last || (await reader.isStored(root))) return nodes;
  const base = last ?? reader.lastStored;
  if (base === undefined || (base !== last && !(await reader.isStored(base)))) return reader.fold(tip);
  const found = await reader.read([tip], (source) => stateNodesBeyond(base, tip.commit.root, source), own);
  return found.nodes;
}
