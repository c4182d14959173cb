import type { Verdict } from "../gate/index.js";
import {
  type Access,
  asVerdict,
  commitVerdicts,
  giveWay,
  type Job,
  type Late,
  type NewCommit,
  SnapshotBefore,
  type WriteOptions,
} from "../repo/index.js";
import type { BulkOptions } from "./options.js";

const PER_COMMIT = 1_000;
/** So many items are judged in no time, and may share a transaction with others. */
const FEW = 64;

/** Many items in commits of a thousand, letting other work happen in between; one verdict each, in the order given. */
export async function inBulk<M, T>(
  access: Access,
  code: Late<M>,
  verb: string,
  items: readonly T[],
  options: WriteOptions & BulkOptions,
  run: (code: M, job: Job, item: T) => Promise<Verdict>,
  after?: (part: readonly T[], verdicts: readonly Verdict[]) => Promise<void> | undefined,
): Promise<Verdict[]> {
  const { onProgress, signal } = options;
  const snapshot =
    items.length > 1 && options.snapshot !== false ? new SnapshotBefore(`${verb} many`) : undefined;
  const verdicts: Verdict[] = [];
  for (let at = 0; at < items.length; at += PER_COMMIT) {
    signal?.throwIfAborted();
    const part = items.slice(at, at + PER_COMMIT);
    const judged = await access.write(code, (loaded, context) => {
      const judgeAll = async (job: Job): Promise<Verdict[]> => {
        const found: Verdict[] = [];
        for (const item of part) {
          found.push(await asVerdict(job.draft, () => run(loaded, job, item)));
          const pause = giveWay();
          if (pause) await pause;
        }
        return found;
      };
      const change: NewCommit<Verdict[]> = { verb, options, run: judgeAll, alone: part.length > FEW };
      return commitVerdicts(context, snapshot ? { ...change, snapshot } : change);
    });
    await after?.(part, judged);
    for (const verdict of judged) verdicts.push(verdict);
    onProgress?.(verdicts.length, items.length);
  }
  return verdicts;
}
