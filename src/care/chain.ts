import type { Hash } from "../core/base/index.js";
import { type Commit, decodeObject, GENESIS, type Operation, type Tip } from "../core/ledger/index.js";
import type { Ref, Storage } from "../storage/index.js";
import type { Inventory } from "./objects.js";
import type { Findings } from "./problems.js";
import { attempt, fetchWhole } from "./reads.js";

const ERASED = "erased/";

/** The commits that refs lead to. */
export interface Chain {
  /** First parents before their children, and one line to its end before the next: few states are open at once. */
  readonly order: readonly Tip[];
  /** How many commits have this one as their first parent. */
  readonly children: ReadonlyMap<Hash, number>;
  /** Commits that a ref points to. */
  readonly targets: ReadonlySet<Hash>;
  /** Keys and records that tombstones say were erased. */
  readonly erased: Erased;
}

export interface Erased {
  readonly records: ReadonlySet<Hash>;
  /** scope + id of the erased memories. */
  readonly keys: ReadonlySet<string>;
}

/** Follows every ref to the first commit and checks what commits say of their parents. */
export function checkChain(refs: ReadonlyMap<string, Ref>, inventory: Inventory, findings: Findings): Chain {
  const targets = new Set<Hash>();
  const records = new Set<Hash>();
  const keys = new Set<string>();
  for (const [name, { target }] of refs) {
    const tombstone = inventory.tombstones.get(target);
    if (!name.startsWith(ERASED) && inventory.commits.has(target)) targets.add(target);
    else if (name.startsWith(ERASED) && tombstone) {
      inventory.reach(target);
      keys.add(tombstone.scope + tombstone.id);
      for (const record of tombstone.records) records.add(record);
    } else findings.add("ref-dangling", name);
  }
  for (const record of records)
    if (inventory.has("memory", record)) findings.add("erased-still-stored", record);
  const reached = reachCommits(targets, inventory.commits);
  for (const [hash, commit] of reached) checkCommit({ hash, commit }, inventory, findings);
  return { ...inOrder(reached), targets, erased: { records, keys } };
}

/** Every whole commit that can be reached from these. */
export function reachCommits(
  from: Iterable<Hash>,
  commits: ReadonlyMap<Hash, Commit>,
): ReadonlyMap<Hash, Commit> {
  const reached = new Map<Hash, Commit>();
  const waiting = [...from];
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    const commit = commits.get(hash);
    if (!commit || reached.has(hash)) continue;
    reached.set(hash, commit);
    waiting.push(...commit.parents);
  }
  return reached;
}

function checkCommit({ hash, commit }: Tip, inventory: Inventory, findings: Findings): void {
  inventory.reach(hash);
  inventory.reach(commit.changeset);
  if (!inventory.has("changeset", commit.changeset)) findings.add("changeset-missing", hash);
  if (commit.parents.length === 0) {
    if (hash !== GENESIS.hash) findings.add("wrong-genesis", hash);
    return;
  }
  const parents = commit.parents.map((parent) => inventory.commits.get(parent));
  for (const [at, parent] of parents.entries())
    if (!parent) findings.add("commit-missing", commit.parents[at] as Hash);
  const known = parents.filter((parent) => parent !== undefined);
  if (known.some(({ time }) => time > commit.time)) findings.add("wrong-time", hash);
  const highest = Math.max(...known.map(({ generation }) => generation));
  // With a parent missing the highest generation is not known, only that it is above the others'.
  const right =
    known.length === parents.length ? commit.generation === highest + 1 : commit.generation > highest;
  if (!right) findings.add("wrong-generation", hash);
}

function inOrder(reached: ReadonlyMap<Hash, Commit>): Pick<Chain, "order" | "children"> {
  const below = new Map<Hash, Tip[]>();
  const waiting: Tip[] = [];
  for (const [hash, commit] of reached) {
    const parent = commit.parents[0];
    const tip = { hash, commit };
    const siblings = parent === undefined ? undefined : below.get(parent);
    if (parent === undefined || !reached.has(parent)) waiting.push(tip);
    else if (siblings) siblings.push(tip);
    else below.set(parent, [tip]);
  }
  const order: Tip[] = [];
  for (let tip = waiting.pop(); tip; tip = waiting.pop()) {
    order.push(tip);
    waiting.push(...(below.get(tip.hash) ?? []));
  }
  return { order, children: new Map([...below].map(([parent, tips]) => [parent, tips.length])) };
}

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
  /** Refs whose last move is known: what a lost operation moved is not known. */
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
