import { type BranchName, PalimpsestError } from "../../core/base/index.js";
import type { Verdict } from "../../gate/index.js";
import type { Memory } from "../../memories/index.js";
import { list, remember } from "../../memories/index.js";
import type { At, Job } from "../../repo/index.js";
import { idsAtStart, madeElsewhere, STEP } from "./milestones.js";

export const STEP_KINDS = ["observation", "thought", "action"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** One step of work: what was seen, thought or done, in the order it happened. */
export interface TraceStep {
  readonly id: string;
  readonly kind: StepKind;
  readonly text: string;
  readonly time: string;
  readonly author: string;
  /** The branch it was made on, if that is another one: it came by a merge. */
  readonly from?: string;
}

export async function addStep(job: Job, kind: StepKind, text: string): Promise<Verdict> {
  const { draft } = job;
  if (!STEP_KINDS.includes(kind))
    throw new PalimpsestError("INVALID_VALUE", `Not a kind of step: ${JSON.stringify(kind)}.`, {
      hint: `Steps are ${STEP_KINDS.join(", ")}.`,
    });
  return remember(job, { type: STEP, text, attributes: { kind, branch: draft.branch } });
}

/** The steps of a branch, oldest first. A branch begins with an empty trace, whatever it was made of. */
export async function trace({ context, reader, tip, now }: At, branch: BranchName): Promise<TraceStep[]> {
  const all = await list({ context: { ...context, branch }, reader, tip, now }, { type: STEP });
  const before = await idsAtStart(context, branch, STEP);
  return all.filter(({ id }) => !before.has(id)).map((step) => toStep(step, branch));
}

function toStep({ id, text, attributes, createdAt, author }: Memory, branch: BranchName): TraceStep {
  const from = attributes?.branch;
  const { at, by } = madeElsewhere(attributes);
  return {
    id,
    kind: (attributes?.kind as StepKind | undefined) ?? "observation",
    text,
    time: at ?? createdAt,
    author: by ?? author.id,
    ...(typeof from === "string" && from !== branch && { from }),
  };
}
