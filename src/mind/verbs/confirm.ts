import { canonicalRecord, trustRank } from "../../core/ledger/index.js";
import { strengthened, type Verdict } from "../../gate/index.js";
import { admit } from "../../memories/index.js";
import type { Job } from "../../repo/index.js";
import { requireEntry, voiceOf } from "../../repo/index.js";

/** A recalled memory proved right. One voice in one session counts once. */
export async function confirm(job: Job, id: string, scope: string | undefined): Promise<Verdict> {
  const { context, draft } = job;
  const entry = await requireEntry(job, id, scope);
  const { record } = entry;
  const isCounted = await draft.hear({ scope: record.scope, id: record.id, voice: voiceOf(context) });
  const where = { id: record.id, scope: record.scope, branch: draft.branch, version: entry.version };
  const confidence = strengthened(record.confidence ?? 1, trustRank(context.trust) >= trustRank("user"));
  if (isCounted || confidence === (record.confidence ?? 1))
    return {
      ...{ verdict: "duplicate", ...where, hash: entry.hash, of: record.id, similarity: 1, check: "confirm" },
      reason: isCounted
        ? "Duplicate: this session has confirmed it before."
        : "Duplicate: it is as certain as it gets.",
      hint: "Nothing needs to be done.",
    };
  return admit(job, canonicalRecord({ ...record, confidence }), "observe", entry, false);
}
