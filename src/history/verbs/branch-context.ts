import type { BranchName } from "../../core/base/index.js";
import { branchInfo, headRef } from "../../core/ledger/index.js";
import { tokensOf } from "../../language/index.js";
import { get } from "../../memories/index.js";
import type { At } from "../../repo/index.js";
import { findWhole } from "../../repo/index.js";
import type { BranchContextOptions } from "../options.js";
import { milestonesWithMerged, type Reached, ROADMAP } from "./milestones.js";
import { type TraceStep, trace } from "./trace.js";

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
