import type { Hash } from "../base/index.js";
import { isCheckpoint, storesNodes, type Tip } from "../ledger/index.js";
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
const isDue = ({ tip, parent, events }: Sealed): boolean =>
  storesNodes(tip.commit.generation, parent.commit.generation, events);

/** The nodes of the kept states of a batch, and of the last one that is due; and how many of them may go again. */
export async function nodesToStore(
  reader: Reader,
  batch: readonly Sealed[],
): Promise<{ readonly nodes: ReadonlyMap<Hash, Uint8Array>; readonly droppable: number }> {
  const due = batch.filter(isDue);
  const nodes = new Map<Hash, Uint8Array>();
  let droppable = 0;
  let last: Hash | undefined;
  for (const sealed of due.filter((item, at) => isKept(item) || at === due.length - 1)) {
    const { root } = sealed.parent.commit;
    const onStored = root === last || (await reader.isStored(root));
    const made = onStored ? sealed.nodes : await reader.fold(sealed.tip);
    for (const [hash, bytes] of made) nodes.set(hash, bytes);
    if (!isKept(sealed)) droppable += made.size;
    last = sealed.tip.commit.root;
  }
  return { nodes, droppable };
}
