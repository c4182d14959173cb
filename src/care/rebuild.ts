import { beginNodeAge, type Storage } from "../storage/index.js";
import { checkChain } from "./chain.js";
import { withEvents } from "./changesets.js";
import { dropNodes, KeptNodes } from "./kept-nodes.js";
import { type Inventory, takeInventory } from "./objects.js";
import type { RebuildOptions } from "./options.js";
import { Pace } from "./pace.js";
import { Findings, type VerifyProblem } from "./problems.js";
import { readSnapshot } from "./reads.js";
import { RowMaking } from "./row-making.js";
import { States } from "./states.js";

export interface RebuildReport {
  /** Touch rows that were made. */
  readonly events: number;
  /** Nodes that are stored now, of the states that are kept. */
  readonly nodes: number;
  /** What is damaged of that from which everything is made: what hangs on it could not be made again. */
  readonly problems: readonly VerifyProblem[];
}

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
  const kept = new KeptNodes(storage, chain, inventory);
  pace.stretch(0.7, 1);
  let followed = 0;
  for await (const { tip, events } of withEvents(storage, chain.order, inventory)) {
    if (await states.advance(tip, events)) await kept.keep(tip, states);
    await pace.step(++followed / chain.order.length);
  }
  await storage.tend();
  pace.end();
  // What was only a warning was derived, and has been made again.
  const problems = findings.list().filter(({ severity }) => severity === "error");
  return { events, nodes: kept.size, problems };
}

/** Answers how many. What it takes to make them is let go before states are folded. */
async function makeRows(storage: Storage, seq: number, inventory: Inventory, pace: Pace): Promise<number> {
  const rows = new RowMaking(storage, seq, inventory, pace);
  await storage.rebuild(rows.make(), seq);
  return rows.count;
}
