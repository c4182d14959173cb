import {
  type BranchName,
  type Hash,
  type JsonObject,
  PalimpsestError,
  type Timestamp,
} from "../../core/base/index.js";
import { branchInfo, headRef } from "../../core/ledger/index.js";
import type { Verdict } from "../../gate/index.js";
import { tokensOf } from "../../language/index.js";
import { get, list, type Memory, remember } from "../../memories/index.js";
import { type At, type Context, findWhole, type Job, nowAt, type Reader } from "../../repo/index.js";
import type { BranchContextOptions, MilestoneOptions } from "../options.js";
import { branches } from "./branches.js";

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
    const verdict = await remember(job, { id: ROADMAP, type: ROADMAP, text: options.roadmap });
    if (verdict.verdict === "rejected" || verdict.verdict === "quarantined") return verdict;
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

/** The rolling summary: what the last milestone says, and itself; the oldest lines go first. */
function progressAfter({ text, attributes }: Memory): string {
  const before = typeof attributes?.progress === "string" ? `${attributes.progress}\n` : "";
  const lines = `${before}- ${text.replaceAll(/\s+/g, " ").trim()}`.split("\n");
  while (lines.length > 1 && lines.join("\n").length > PROGRESS) lines.shift();
  return lines.join("\n").slice(0, PROGRESS).toWellFormed();
}

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

export interface BranchContext {
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly string[];
}

/** A part of the context; parts later in the list give way first when the budget is short, but for the one at the end. */
interface Part {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly items: readonly string[];
}

/**
 * What somebody who takes over a branch has to know: roadmap, purpose, the last milestones, the steps since, status.
 */
export async function branchContext(
  at: At,
  branch: BranchName,
  options: BranchContextOptions,
): Promise<BranchContext> {
  const { reader } = at;
  const milestones = await milestonesWithMerged(at, branch);
  if (options.view === "decisions") return joined([decisions(milestones)], options.budget);
  const ref = await reader.storage.ref(headRef(branch));
  const { purpose, status, persona } = branchInfo(ref?.meta, ref?.target);
  const last = milestones.slice(-Math.max(1, Math.trunc(options.k ?? 1)));
  const roadmap = await get(at, ROADMAP, undefined, findWhole);
  const steps = await trace(at, branch);
  const since = last[0]?.milestone.createdAt ?? "";
  const state = `${status}, persona ${persona}, ${milestones.length} ${milestones.length === 1 ? "milestone" : "milestones"}`;
  return joined(
    [
      {
        heading: "Roadmap",
        lines: roadmap ? [roadmap.text] : [],
        items: roadmap ? [roadmap.id] : [],
      },
      { heading: `Branch ${branch}`, lines: purpose ? [`Purpose: ${purpose}`] : [], items: [] },
      {
        heading: "Milestones",
        lines: last.map(milestoneLine),
        items: last.map(({ milestone }) => milestone.id),
      },
      stepsPart(steps.filter(({ time }) => time >= since)),
    ],
    options.budget,
    { heading: "Status", lines: [state], items: [] },
  );
}

const milestoneLine = ({ milestone: { text, attributes }, from }: Reached): string =>
  [
    `- ${from === undefined ? "" : `(${from}) `}${text}`,
    ...(typeof attributes?.decision === "string" ? [`  Decided: ${attributes.decision}`] : []),
    ...(typeof attributes?.progress === "string"
      ? ["  Before:", ...attributes.progress.split("\n").map((line) => `    ${line}`)]
      : []),
  ].join("\n");

const decisions = (milestones: readonly Reached[]): Part => {
  const decided = milestones
    .map(({ milestone }) => milestone)
    .filter(({ attributes }) => typeof attributes?.decision === "string");
  return {
    heading: "Decisions",
    lines: decided.map(
      ({ attributes, commit }) => `- ${String(attributes?.decision)} (${commit.slice(0, 12)})`,
    ),
    items: decided.map(({ id }) => id),
  };
};

const stepsPart = (steps: readonly TraceStep[]): Part => ({
  heading: "Steps",
  lines: steps.map(({ kind, text, from }) => `- ${kind}${from ? ` (${from})` : ""}: ${text}`),
  items: steps.map(({ id }) => id),
});

/** The steps are the longest part and the first to be cut, oldest first; nothing is cut inside a line. */
function joined(parts: readonly Part[], budget = 2_000, end?: Part): BranchContext {
  const blocks: string[] = [];
  const items: string[] = [];
  const costOf = ({ heading, lines }: Part) => tokensOf(`## ${heading}\n\n`) + tokensOf(lines.join("\n"));
  let left = budget - (end ? costOf(end) : 0);
  for (const { heading, lines, items: own } of parts) {
    if (lines.length === 0) continue;
    left -= tokensOf(`## ${heading}\n\n`);
    const kept: string[] = [];
    for (const line of lines.toReversed()) {
      if (tokensOf(line) > left) break;
      left -= tokensOf(line);
      kept.unshift(line);
    }
    if (kept.length === 0) continue;
    blocks.push(`## ${heading}\n${kept.length < lines.length ? "…\n" : ""}${kept.join("\n")}`);
    items.push(...own.slice(-kept.length));
  }
  if (end && costOf(end) <= budget) blocks.push(`## ${end.heading}\n${end.lines.join("\n")}`);
  const text = blocks.join("\n\n");
  return { text, tokens: tokensOf(text), items };
}

/**
 * The work of all branches as plain files (`.GCC/`): the roadmap, and for each branch its milestones, its steps and
 * what is said of it, so that another agent can take over with nothing but them.
 */
export async function gccFiles(context: Context, now: Timestamp): Promise<Map<string, string>> {
  const { engine } = context;
  const { reader } = engine;
  const files = new Map<string, string>();
  const known = await branches(context, engine.storage);
  const main = await engine.head(known.find(({ name }) => name === "main")?.name as BranchName);
  const roadmap = await get({ context, reader, tip: main, now }, ROADMAP, undefined, findWhole);
  const index = known.map(
    ({ name, status, purpose }) => `- ${name} (${status})${purpose ? `: ${purpose}` : ""}`,
  );
  files.set(
    "main.md",
    `# Roadmap\n\n${roadmap?.text ?? "No roadmap yet."}\n\n## Branches\n\n${index.join("\n")}\n`,
  );
  for (const branch of known) {
    const tip = await engine.head(branch.name);
    const folder = `branches/${branch.name}`;
    const milestones = await milestonesOf({ context, reader, tip, now }, branch.name);
    const steps = await trace({ context, reader, tip, now }, branch.name);
    files.set(
      `${folder}/commit.md`,
      `# Milestones of ${branch.name}\n${milestones.map(milestoneText).join("")}`,
    );
    files.set(
      `${folder}/log.md`,
      `# Steps of ${branch.name}\n\n${steps
        .map(
          ({ id, kind, text, time, from }) =>
            `- ${time} ${kind}${from ? ` (from ${from})` : ""}: ${indented(text)}${anchor(id)}\n`,
        )
        .join("")}`,
    );
    files.set(
      `${folder}/metadata.yaml`,
      yaml({
        name: branch.name,
        purpose: branch.purpose ?? "",
        persona: branch.persona,
        status: branch.status,
        head: branch.head,
        created: branch.created ?? "",
        milestones: milestones.length,
        steps: steps.length,
      }),
    );
  }
  return files;
}

const indented = (text: string): string => text.trim().replaceAll("\n", "\n  ");

/** Ids as the mirror of a palace has them: not seen when it is read, known again when it comes back. */
const anchor = (id: string): string => ` <!-- ^${id} -->`;

function milestoneText({ id, text, attributes, commit, createdAt, author }: Memory): string {
  const part = (heading: string, value: unknown) =>
    typeof value === "string" && value !== "" ? `\n### ${heading}\n\n${value}\n` : "";
  const { at, by } = madeElsewhere(attributes);
  return [
    `\n## ${at ?? createdAt} ${commit.slice(0, 12)} by ${by ?? author.id}${anchor(id)}\n`,
    part("Purpose of the branch", attributes?.purpose),
    part("Progress so far", attributes?.progress),
    part("This contribution", text),
    part("Message", attributes?.message === text ? undefined : attributes?.message),
    part("Decision", attributes?.decision),
  ].join("");
}

/** Every value is a JSON string or number, which YAML reads as such. */
const yaml = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
