import type { Hash } from "../../core/base/index.js";
import {
  isCheckpoint,
  type Kinds,
  type LedgerEvent,
  storesNodes,
  type Tip,
} from "../../core/ledger/index.js";
import { type Made, madeBy } from "../../core/merkle/index.js";
import { type Guard, nodeAge } from "../../storage/index.js";
import type { Reader } from "./reader.js";

/** A commit of a batch, before it is durable. */
export interface Sealed extends Made {
  readonly tip: Tip;
  readonly parent: Tip;
  readonly events: readonly LedgerEvent[];
}

const isKept = ({ tip, parent }: Sealed): boolean =>
  isCheckpoint(tip.commit.generation, parent.commit.generation);
export const isDue = ({ tip, parent, events }: Sealed): boolean =>
  storesNodes(tip.commit.generation, parent.commit.generation, events.length);

export interface ToStore {
  readonly nodes: ReadonlyMap<Hash, Uint8Array>;
  /** How many of them may go again. */
  readonly droppable: number;
  /** How many commits of the batch led to the last state that is stored with them; 0 when none is. */
  readonly upTo: number;
  /** They lean on what was stored in this age. */
  readonly guard: Guard | undefined;
}

export const NOTHING_TO_STORE: ToStore = { nodes: new Map(), droppable: 0, upTo: 0, guard: undefined };

/** Does each commit stand on the one before it? Where the branch took over one made elsewhere, it does not. */
export const isLine = (batch: readonly Sealed[]): boolean =>
  batch.every(({ parent }, at) => at === 0 || parent === batch[at - 1]?.tip);

/** The nodes of the kept states of a batch, and of the last one that is due, each beyond the last that is stored. */
export async function nodesToStore(reader: Reader, batch: readonly Sealed[]): Promise<ToStore> {
  const due = batch.filter(isDue);
  const guard = await nodeAge(reader.storage);
  const nodes = new Map<Hash, Uint8Array>();
  let droppable = 0;
  let upTo = 0;
  for (const sealed of due.filter((item, at) => isKept(item) || at === due.length - 1)) {
    const end = batch.indexOf(sealed) + 1;
    const before = upTo > 0 ? [] : await unstoredAt(reader, (batch[0] as Sealed).parent);
    const made =
      before && isLine(batch)
        ? madeBy([...before, ...batch.slice(upTo, end)])
        : await reader.fold(sealed.tip, "stored", valuesOf(batch));
    for (const [hash, bytes] of made) nodes.set(hash, bytes);
    if (!isKept(sealed)) droppable += made.size;
    upTo = end;
  }
  return { nodes, droppable, upTo, guard };
}

/** What a fold has to know of commits that no store has yet. */
const valuesOf = (batch: readonly Sealed[]): ReadonlyMap<Hash, Kinds[keyof Kinds]> =>
  new Map<Hash, Kinds[keyof Kinds]>(
    batch.flatMap(({ tip, events }) => [
      [tip.hash, tip.commit],
      [tip.commit.changeset, { events }],
    ]),
  );

/** What led from a stored state to this one; undefined when none is known that is still stored. */
async function unstoredAt(reader: Reader, { commit: { root } }: Tip): Promise<readonly Made[] | undefined> {
  const since = reader.unstored.leadingTo(root);
  if (since && (await reader.isStored(since.from))) return since.steps;
  return (await reader.isStored(root)) ? [] : undefined;
}
