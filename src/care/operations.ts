import type { Hash } from "../core/base/index.js";
import { decodeObject, GENESIS, type Operation } from "../core/ledger/index.js";
import type { Ref, Storage } from "../storage/index.js";
import type { Inventory } from "./objects.js";
import type { Findings } from "./problems.js";
import { attempt, fetchWhole } from "./reads.js";

const PAGE = 4096;
const AHEAD = 256;

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

/**
 * Follows every ref through the log: each operation takes it up where the last one left it, to where it is now. Each
 * operation that is whole is handed on.
 */
export async function* checkOperations(
  storage: Storage,
  log: readonly Hash[],
  refs: ReadonlyMap<string, Ref> | undefined,
  inventory: Inventory,
  findings: Findings,
): AsyncGenerator<Operation> {
  const places = new Map<string, Hash | undefined>();
  /** Refs whose last move is known: what a lost operation moved cannot be told. */
  const certain = new Set<string>();
  let lost = false;
  for await (const [hash, operation] of operationsOf(storage, log, inventory)) {
    inventory.reach(hash);
    if (!operation) {
      findings.add("operation-missing", hash);
      certain.clear();
      lost = true;
      continue;
    }
    for (const { name, before, after } of operation.refs) {
      const isFirst = !places.has(name);
      // The first branch begins at the constant first commit, before there is a ref.
      const follows = before === places.get(name) || (isFirst && before === GENESIS.hash);
      if (!follows && (certain.has(name) || (isFirst && !lost))) findings.add("operation-gap", hash);
      places.set(name, after);
      certain.add(name);
    }
    yield operation;
  }
  if (refs) checkPlaces(places, refs, (name) => !lost || certain.has(name), findings);
}

/** Read again, some at a time, rather than kept. */
async function* operationsOf(storage: Storage, log: readonly Hash[], inventory: Inventory) {
  for (let at = 0; at < log.length; at += AHEAD) {
    const part = log.slice(at, at + AHEAD);
    const whole = part.filter((hash) => inventory.has("operation", hash));
    const found = await fetchWhole(storage, "operation", whole);
    for (const hash of part) {
      const bytes = found.get(hash);
      yield [hash, bytes && decodeObject("operation", bytes)] as const;
    }
  }
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
