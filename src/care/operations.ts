import type { Hash } from "../base/index.js";
import { GENESIS, type Operation } from "../ledger/index.js";
import type { Ref, Storage } from "../storage/index.js";
import type { Inventory } from "./objects.js";
import type { Findings } from "./problems.js";
import { attempt } from "./reads.js";

const PAGE = 4096;

/**
 * The operation log up to a version, oldest first; undefined when it cannot be read whole. Of what was read up to `after`
 * only the page on which the new begins is read again.
 */
export function readLog(
  storage: Storage,
  seq: number,
  findings: Findings,
  after = 0,
): Promise<Hash[] | undefined> {
  return attempt(findings, "operations-unreadable", async () => {
    const newest: Hash[] = [];
    for (let before = seq + 1; before > after + 1; ) {
      const page = await storage.opsBefore(before, PAGE);
      for (const hash of page.ops) newest.push(hash);
      if (page.seq >= before) break;
      before = page.seq;
    }
    return newest.reverse();
  });
}

/** Follows every ref through the log: each operation takes it up where the last one left it, to where it is now. */
export function checkOperations(
  log: readonly Hash[],
  refs: ReadonlyMap<string, Ref> | undefined,
  inventory: Inventory,
  findings: Findings,
): Operation[] {
  const operations: Operation[] = [];
  const places = new Map<string, Hash | undefined>();
  /** Refs whose last move is known: what a lost operation moved cannot be told. */
  let certain = new Set<string>();
  let lost = false;
  for (const hash of log) {
    const operation = inventory.operations.get(hash);
    inventory.unreached.delete(hash);
    if (!operation) {
      findings.add("operation-missing", hash);
      certain = new Set();
      lost = true;
      continue;
    }
    operations.push(operation);
    for (const { name, before, after } of operation.refs) {
      const isFirst = !places.has(name);
      // The first branch begins at the constant first commit, before there is a ref.
      const follows = before === places.get(name) || (isFirst && before === GENESIS.hash);
      if (!follows && (certain.has(name) || (isFirst && !lost))) findings.add("operation-gap", hash);
      places.set(name, after);
      certain.add(name);
    }
  }
  if (refs) checkPlaces(places, refs, (name) => !lost || certain.has(name), findings);
  return operations;
}

function checkPlaces(
  places: ReadonlyMap<string, Hash | undefined>,
  refs: ReadonlyMap<string, Ref>,
  isCertain: (name: string) => boolean,
  findings: Findings,
): void {
  for (const [name, place] of places)
    if (refs.get(name)?.target !== place && isCertain(name)) findings.add("ref-moved", name);
  for (const name of refs.keys())
    if (!places.has(name) && isCertain(name)) findings.add("ref-unlogged", name);
}
