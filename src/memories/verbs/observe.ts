import { hashCanonical, type MemoryId } from "../../core/base/index.js";
import { canonicalRecord, trustRank } from "../../core/ledger/index.js";
import { checkShape, type MemoryInput, strengthened, type Verdict } from "../../gate/index.js";
import type { Entry, Job } from "../../repo/index.js";
import { draftLookup, findNamed, findWhole, isExpired, requireEntry, voiceOf } from "../../repo/index.js";
import { admit, isOpen } from "../admit.js";
import { newRecord, scopeOf } from "../build-record.js";
import { weakerThanWriter } from "../rights.js";
import { remember } from "./remember.js";

/** What one observation is worth when nobody says otherwise. */
const EVIDENCE = 0.5;

const HEARD = "Duplicate: this session has observed it before, which counts once.";

/**
 * Adds evidence: the memory with that id becomes more certain; a text not seen before becomes a memory of low
 * confidence. The same text observed twice is one memory, because its id follows from the text; unless that is not for
 * everybody: its id is random, so that nobody finds it by guessing the text, and it is looked for in what is seen.
 */
export async function observe(
  job: Job,
  target: string,
  input: Omit<MemoryInput, "text" | "id">,
): Promise<Verdict> {
  const { context, draft } = job;
  const { scope, confidence = EVIDENCE } = input;
  // A sentence is no name: looking for one would mean reading every memory.
  const find = typeof target === "string" && /\s/u.test(target.trim()) ? findWhole : findNamed;
  const key = await find(context, draftLookup(draft), target, scope);
  const known = key && (await draft.entry(key.scope, key.id));
  if (known && !isExpired(known, draft.now)) return strengthen(job, known, input);
  if (find === findNamed) await requireEntry(job, target, scope);
  checkShape({ ...input, text: target });
  const plainId = `obs-${hashCanonical("content", JSON.stringify(target)).slice(0, 32)}` as MemoryId;
  const home = scopeOf(context, input);
  const seen = await draft.entry(home, plainId);
  if (seen && context.sight.seesRecord(seen.record)) return strengthen(job, seen, input);
  const noted = { type: "observation", ...input, confidence, text: target };
  const isPlain = !seen && isOpen(context, await newRecord(context, noted, plainId, draft.now, draft.reader));
  const said = isPlain ? undefined : await draft.surroundings.saying(context, home, target, draft.now);
  const again = said && (await draft.entry(home, said));
  if (again) return strengthen(job, again, input);
  const id = isPlain ? plainId : `obs-${Buffer.from(context.random(16)).toString("hex")}`;
  const judged = await remember(job, { ...noted, id }, "observe");
  // Somebody said it before in nearly the same words: then it is evidence for that.
  const same = judged.of && (await draft.entry(scopeOf(context, input), judged.of));
  return judged.verdict === "duplicate" && same ? strengthen(job, same, input) : judged;
}

async function strengthen(
  job: Job,
  entry: Entry,
  { confidence, evidence }: Omit<MemoryInput, "text" | "id">,
): Promise<Verdict> {
  const { context, draft } = job;
  const { text, type } = entry.record;
  checkShape(
    {
      ...{ text, type },
      ...(confidence !== undefined && { confidence }),
      ...(evidence !== undefined && { evidence }),
    },
    { read: true },
  );
  const byUser = trustRank(context.trust) >= trustRank("user");
  // A weaker writer adds weight to what is there and no words of its own.
  const isOwn = evidence !== undefined && !weakerThanWriter(context, entry.record);
  const origin = isOwn ? { ...entry.record.origin, evidence } : entry.record.origin;
  const { scope, id, confidence: now = 1 } = entry.record;
  // One voice in one session counts once; further words of it are kept, and make nothing more certain.
  const isHeard = await draft.hear({ scope, id, voice: voiceOf(context) });
  const after = isHeard ? now : strengthened(now, byUser, confidence);
  const next = canonicalRecord({ ...entry.record, confidence: after, origin });
  const judged = await admit(job, next, "observe", entry, false);
  return isHeard && judged.verdict === "duplicate" ? { ...judged, check: "observe", reason: HEARD } : judged;
}
