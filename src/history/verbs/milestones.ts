import { type BranchName, type Hash, type JsonObject, PalimpsestError } from "../../core/base/index.js";
import { branchInfo, headRef } from "../../core/ledger/index.js";
import type { Verdict } from "../../gate/index.js";
import type { Memory } from "../../memories/index.js";
import { list, remember } from "../../memories/index.js";
import type { At, Context, Job, Reader } from "../../repo/index.js";
import { nowAt } from "../../repo/index.js";
import type { MilestoneOptions } from "../options.js";

/** Types of the records that tell how work on a branch went: milestones, the roadmap they follow, single steps. */
export const MILESTONE = "milestone";
export const ROADMAP = "roadmap";
export const STEP = "step";

/** What an import says of a milestone or a step that was made elsewhere. */
export const madeElsewhere = (
  attributes: JsonObject | undefined,
): { readonly at?: string; readonly by?: string } => ({
  ...(typeof attributes?.at === "string" && { at: attributes.at }),
  ...(typeof attributes?.by === "string" && { by: attributes.by }),
});

/** How much of what went before a milestone retells. */
const PROGRESS = 2_000;

/** Records a milestone without facts: the purpose of the branch, the progress so far, and what this one adds. */
export async function milestone(job: Job, message: string, options: MilestoneOptions): Promise<Verdict> {
  const { context, draft } = job;
  if (typeof message !== "string" || message.trim() === "")
    throw new PalimpsestError("INVALID_TEXT", "A milestone needs a message.");
  if (options.roadmap !== undefined) {
    const said = await remember(job, { id: ROADMAP, type: ROADMAP, text: options.roadmap });
    if (said.verdict === "rejected" || said.verdict === "quarantined") return said;
  }
  const [purpose, before] = [
    await purposeOf(draft.reader, draft.branch),
    (
      await milestonesOf({ context, reader: draft.reader, tip: draft.start, now: draft.now }, draft.branch)
    ).at(-1),
  ];
  return remember(job, {
    type: MILESTONE,
    text: options.contribution ?? message,
    attributes: {
      branch: draft.branch,
      message,
      ...(purpose !== undefined && { purpose }),
      ...(before && { progress: progressAfter(before) }),
      ...(options.decision !== undefined && { decision: options.decision }),
    },
  });
}

export async function purposeOf(reader: Reader, branch: BranchName): Promise<string | undefined> {
  const ref = await reader.storage.ref(headRef(branch));
  return branchInfo(ref?.meta, ref?.target).purpose;
}

/** The milestones of a branch, oldest first. */
export async function milestonesOf({ context, reader, tip, now }: At, branch: BranchName): Promise<Memory[]> {
  const names = await namesOf(reader, branch);
  const all = await list({ context: { ...context, branch }, reader, tip, now }, { type: MILESTONE });
  return all.filter(({ attributes }) => names.has(attributes?.branch));
}

export interface Reached {
  readonly milestone: Memory;
  /** The branch it was reached on, if that is another one: it came by a merge. */
  readonly from?: string;
}

/** The same with those of the branches that were merged into it; what it was made of is not its own work. */
export async function milestonesWithMerged(
  { context, reader, tip, now }: At,
  branch: BranchName,
): Promise<Reached[]> {
  const names = await namesOf(reader, branch);
  const before = await idsAtStart(context, branch, MILESTONE);
  const all = await list({ context: { ...context, branch }, reader, tip, now }, { type: MILESTONE });
  return all.flatMap((milestone) => {
    const of = milestone.attributes?.branch;
    if (names.has(of)) return { milestone };
    return before.has(milestone.id) || typeof of !== "string" ? [] : { milestone, from: of };
  });
}

async function namesOf(reader: Reader, branch: BranchName): Promise<ReadonlySet<unknown>> {
  const formerly = (await reader.storage.ref(headRef(branch)))?.meta?.formerly;
  return new Set([branch, ...(Array.isArray(formerly) ? formerly : [])]);
}

/** What of a type was there when a branch was made: the work of others. */
export async function idsAtStart(
  context: Context,
  branch: BranchName,
  type: string,
): Promise<ReadonlySet<string>> {
  const { reader } = context.engine;
  const start = (await reader.storage.ref(headRef(branch)))?.meta?.start;
  if (typeof start !== "string") return new Set();
  const tip = await reader.tip(start as Hash);
  const now = await nowAt({ context, reader, tip });
  return new Set((await list({ context, reader, tip, now }, { type })).map(({ id }) => id));
}

/** The rolling summary: what the last milestone told, and itself; the oldest lines go first. */
function progressAfter({ text, attributes }: Memory): string {
  const told = typeof attributes?.progress === "string" ? `${attributes.progress}\n` : "";
  const lines = `${told}- ${text.replaceAll(/\s+/g, " ").trim()}`.split("\n");
  while (lines.length > 1 && lines.join("\n").length > PROGRESS) lines.shift();
  return lines.join("\n").slice(0, PROGRESS).toWellFormed();
}
