import { type Hash, MAIN } from "../core/base/index.js";
import { GENESIS_TIP } from "../core/ledger/index.js";
import type { Storage } from "../storage/index.js";
import { checkChain } from "./chain.js";
import { withEvents } from "./changesets.js";
import { KeptNodes } from "./kept-nodes.js";
import { takeInventory } from "./objects.js";
import { checkOperations, readLog } from "./operations.js";
import type { VerifyOptions } from "./options.js";
import { Pace } from "./pace.js";
import { Findings, type VerifyProblem } from "./problems.js";
import { attempt, readSnapshot } from "./reads.js";
import { Writings } from "./records.js";
import { parseSince, Since, type SinceReport } from "./since.js";
import { States } from "./states.js";
import { TouchRows } from "./touch-rows.js";

export interface VerifyReport {
  /** Nothing was found: no error, no warning; notes are no findings. */
  readonly ok: boolean;
  /** Root of the state of `main`; empty when its commit cannot be read. */
  readonly root: string;
  /** The commit that `main` points to. Worth keeping: see `since`. */
  readonly head: string;
  readonly objects: number;
  /** Commits that refs lead to, the constant first one included. */
  readonly commits: number;
  /** Live on `main`. */
  readonly memories: number;
  /** Records and notes that are gone because they were erased. */
  readonly erased: number;
  readonly problems: readonly VerifyProblem[];
  /** What was found of what was kept, if something was given. */
  readonly since?: SinceReport;
}

/** An erase takes objects away under a running check, which then begins anew. */
const ROUNDS = 3;

/**
 * Is everything whole? Re-hashes every object, folds the whole history again and makes every derived row again,
 * reading past all caches. Goes on after each problem and never throws because of damage; only a store that
 * cannot be opened, is closed or stays locked is an error. Other processes may write meanwhile.
 */
export async function verifyStore(storage: Storage, options: VerifyOptions): Promise<VerifyReport> {
  const since = options.since === undefined ? undefined : parseSince(options.since);
  for (let round = 1; ; round++) {
    const { epoch } = await storage.version();
    const report = await verifyOnce(storage, since, new Pace(options.onProgress), false);
    if (round === ROUNDS || (await storage.version()).epoch === epoch) return report;
  }
}

/**
 * The same of a store that was just filled and that nobody else has yet; the states that readers start from are stored,
 * because they are all folded on the way.
 */
export const verifyFilled = (storage: Storage): Promise<VerifyReport> =>
  verifyOnce(storage, undefined, new Pace(undefined), true);

async function verifyOnce(
  storage: Storage,
  kept: Hash | undefined,
  pace: Pace,
  isFilling: boolean,
): Promise<VerifyReport> {
  const findings = new Findings();
  const { seq, refs: readable } = await readSnapshot(storage, findings);
  const refs = readable ?? new Map();
  const log = await readLog(storage, seq, findings);
  pace.stretch(0, 0.6);
  const inventory = await takeInventory(storage, seq, findings, pace);
  const chain = checkChain(refs, inventory, findings);
  pace.stretch(0.6, 0.9);

  const since = kept === undefined ? undefined : new Since(kept, refs, inventory.commits);
  const writings = new Writings(inventory, chain.erased, findings);
  const head = refs.get(`heads/${MAIN}`)?.target ?? GENESIS_TIP.hash;
  const states = new States(storage, chain, inventory, findings, since?.watcher);
  const nodes = isFilling ? new KeptNodes(storage, chain, inventory) : undefined;
  let memories = 0;
  let followed = 0;
  for await (const { tip, events } of withEvents(storage, chain.order, inventory)) {
    if (!events) findings.add("changeset-missing", tip.hash);
    writings.check(tip, events ?? []);
    writings.checkNote(tip.commit.note, [tip.hash]);
    const isKnown = await states.advance(tip, events);
    if (isKnown && tip.hash === head) memories = states.count(tip.commit.root);
    if (isKnown && nodes) await nodes.keep(tip, states);
    await pace.step(++followed / chain.order.length);
  }
  states.clear();
  since?.report(findings);

  for await (const operation of checkOperations(storage, log ?? [], log && readable, inventory, findings))
    writings.checkOperation(operation);
  pace.stretch(0.9, 1);
  await new TouchRows(storage, inventory, chain.order, seq, findings, pace).check();
  await attempt(findings, "storage-unreadable", async () => {
    for await (const problem of storage.check()) findings.take(problem);
  });
  if (inventory.unreached > 0) findings.add("unreachable-objects", `${inventory.unreached} objects`);
  pace.end();
  return {
    ok: findings.ok,
    root: (head === GENESIS_TIP.hash ? GENESIS_TIP.commit : inventory.commits.get(head))?.root ?? "",
    head,
    objects: inventory.objects,
    commits: chain.order.length,
    memories,
    erased: writings.gone.size,
    problems: findings.list(),
    ...(since && { since: since.answer }),
  };
}
