import { type Hash, type MemoryId, type Scope, timestamp } from "../../base/index.js";
import type { ErasureReceipt } from "../../care/index.js";
import type { Context } from "../context.js";
import type { Engine } from "../engine.js";
import { EraseDigests, type ErasePlan, planErase } from "../erase-plan.js";
import { type Doomed, EraseSearch, type EraseTarget } from "../erase-target.js";
import type { CommitInfo } from "../operation.js";
import { removeImages } from "../view-image.js";

export interface EraseReport {
  readonly memories: readonly { readonly scope: Scope; readonly id: MemoryId; readonly versions: number }[];
  /** Records, in all versions. */
  readonly records: number;
  /** What was said of the commits that touched them. */
  readonly notes: number;
  /** The commits that forget them, by branch. */
  readonly commits: { readonly [branch: string]: Hash };
  /** Records without a salt: their hashes stay in the chain, and whoever knows the text can tell that it was there. */
  readonly guessable: number;
  /** Under which it waits for somebody who may erase: then nothing was erased yet. */
  readonly staged?: string;
  /** Absent in a dry run, and while it waits. */
  readonly receipt?: ErasureReceipt;
}

export interface EraseOptions extends EraseTarget {
  /** Say what would go. */
  readonly dryRun?: boolean;
}

/** The bytes go, everywhere, if the session may do that (see `erase-request.ts`): one transaction, then the medium is searched for what is left. */
export async function erase(
  engine: Engine,
  context: Context,
  info: CommitInfo,
  options: EraseOptions,
): Promise<EraseReport> {
  const search = new EraseSearch(engine.storage, context, options);
  const digests = new EraseDigests();
  let doomed: Doomed[] = [];
  let plan: ErasePlan | undefined;
  const look = async () => {
    doomed = await search.find();
    if (doomed.length > 0)
      plan = await planErase(engine.reader, doomed, info, timestamp(engine.clock()), digests);
  };
  await engine.writer.idle();
  await look();
  // Once more with the write lock held: what was written meanwhile, on a branch or beside one, goes too.
  const { storage } = engine;
  while (plan && !options.dryRun) {
    const result = await storage.exclusive(async (transact) => {
      await look();
      return plan && transact(plan.transaction);
    });
    if (result === "ok") break;
  }
  const report = reportOf(doomed, plan);
  if (options.dryRun || !plan) return report;
  engine.forgetHeads();
  return { ...report, receipt: await cleanUp(engine, plan.texts) };
}

/** Until nothing is found, or nothing more can be done now. */
async function cleanUp({ storage, reader }: Engine, texts: readonly string[]): Promise<ErasureReceipt> {
  const { searchErased } = await import("../../care/index.js");
  await reader.version();
  await removeImages(storage);
  await storage.scrub();
  const receipt = await searchErased(storage, texts);
  if (receipt.clean) return receipt;
  // Copies that were left behind when neighbours were moved: only writing everything anew is sure to end them.
  await storage.compact();
  await storage.scrub();
  return searchErased(storage, texts);
}

function reportOf(doomed: readonly Doomed[], plan: ErasePlan | undefined): EraseReport {
  const memories = new Map<string, { scope: Scope; id: MemoryId; versions: number }>();
  for (const { record } of doomed) {
    const { scope, id } = record;
    const known = memories.get(`${scope}\n${id}`) ?? { scope, id, versions: 0 };
    memories.set(`${scope}\n${id}`, { ...known, versions: known.versions + 1 });
  }
  return {
    memories: [...memories.values()],
    records: doomed.length,
    notes: plan?.notes ?? 0,
    commits: plan?.commits ?? {},
    guessable: doomed.filter(({ record }) => record.salt === undefined).length,
  };
}
