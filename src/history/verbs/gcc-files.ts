import type { BranchName, Timestamp } from "../../core/base/index.js";
import type { Memory } from "../../memories/index.js";
import { get } from "../../memories/index.js";
import type { Context } from "../../repo/index.js";
import { findWhole } from "../../repo/index.js";
import { branches } from "./branches.js";
import { madeElsewhere, milestonesOf, ROADMAP } from "./milestones.js";
import { trace } from "./trace.js";

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
