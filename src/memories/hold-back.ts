import type { Json, JsonObject } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { stagingRef } from "../core/ledger/index.js";
import type { Refusal } from "../gate/index.js";
import type { Held, Job } from "../repo/index.js";
import { commitInfo, tooManyWait, waitingMeta } from "../repo/index.js";
import { nextVersion } from "./build-record.js";
import { concernOf, type StagedNote, sameWaiting, stagedId } from "./staging.js";

/** What was quarantined, and so waits for somebody of more trust. */
const QUARANTINED = "quarantined";

/**
 * Keeps a quarantined write aside and answers the name under which it waits. A new text that contradicts a memory waits
 * as the next version of that memory, so that both sides are one difference; taking both is still possible.
 */
export async function holdBack(
  job: Job,
  record: MemoryRecord,
  refusal: Refusal,
  fresh: boolean,
): Promise<string | Refusal> {
  const { draft } = job;
  const other =
    refusal.against === undefined ? undefined : (await draft.entry(record.scope, refusal.against))?.record;
  const replaces = fresh && other !== undefined && refusal.check === "contradiction";
  const wanted = replaces ? nextVersion(other, record) : record;
  const data = replaces ? { proposed: record as unknown as Json } : undefined;
  return holdChanges(job, [{ scope: wanted.scope, id: wanted.id, record: wanted }], refusal, other, data);
}

/**
 * Keeps changes aside that belong together; without a record a memory would be forgotten. Answers why not where too much
 * waits already.
 */
export async function holdChanges(
  { context, draft }: Job,
  changes: Held["changes"],
  refusal: Refusal,
  other?: MemoryRecord,
  data?: JsonObject,
): Promise<string | Refusal> {
  const { author, trust } = context;
  const { code, check, against } = refusal;
  const id =
    (await sameWaiting(context, QUARANTINED, changes)) ?? stagedId(QUARANTINED, author, changes, undefined);
  const full = tooManyWait(context, await draft.waitingOf(author.id), stagingRef(draft.branch, id));
  if (full) return full;
  const staged: StagedNote = {
    about: other ? [concernOf(other)] : [],
    verdict: { code, check, ...(against !== undefined && { against }) },
    ...(data && { data }),
  };
  draft.hold({
    id,
    changes,
    info: commitInfo(
      context,
      "quarantine",
      { message: refusal.reason },
      { staged: { ...staged, trust } as unknown as JsonObject },
    ),
    meta: waitingMeta(QUARANTINED, context),
  });
  return id;
}
