import { derivedId } from "../derived-id.js";
import { defined, type Import, type ImportedBranch, type ImportedMemory, textOf } from "./item.js";

type Files = ReadonlyMap<string, string>;

const MAIN = "main";

/** The folder that records how work on branches went: branches, roadmap, milestones and steps are there again. */
export function importGcc(files: Files): Import {
  const memories: ImportedMemory[] = [];
  const branches: ImportedBranch[] = [];
  const problems: { where: string; reason: string }[] = [];
  const roadmap = /^# Roadmap\n\n([\s\S]*?)\n\n## Branches\n/.exec(files.get("main.md") ?? "")?.[1];
  if (roadmap !== undefined && roadmap !== "No roadmap yet.")
    memories.push({ id: "roadmap", type: "roadmap", text: roadmap });
  for (const [path, text] of inOrder(files)) {
    const [, branch, kind] = /^branches\/(.+)\/(?:(commit|log)\.md|metadata\.yaml)$/.exec(path) ?? [];
    if (branch === undefined) continue;
    if (branch !== MAIN && branches.at(-1)?.name !== branch)
      branches.push({ name: branch, ...saidOf(files.get(`branches/${branch}/metadata.yaml`) ?? "") });
    if (kind === undefined) continue;
    const found = kind === "log" ? stepsOf(text, branch) : milestonesOf(text, branch);
    for (const memory of found.memories) memories.push({ ...memory, ...(branch !== MAIN && { branch }) });
    problems.push(
      ...found.lost.map((line) => ({ where: `${path}: ${line}`, reason: "This cannot be read." })),
    );
  }
  return { branches, memories, forgotten: [], problems };
}

/** What others were made of, first. */
function inOrder(files: Files): [string, string][] {
  const isMain = ([path]: [string, string]) => Number(path.startsWith(`branches/${MAIN}/`));
  return [...files].sort((a, b) => isMain(b) - isMain(a));
}

/** `name: value` lines; values as JSON, or as they stand where a person wrote them. */
function saidOf(text: string): Omit<ImportedBranch, "name"> {
  const fields: Record<string, string> = {};
  for (const [, key = "", value = ""] of text.matchAll(/^(persona|purpose|status|created): *(.*)$/gm))
    fields[key] = unquoted(value.trim());
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => textOf(value) !== undefined));
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

interface Found {
  readonly memories: readonly ImportedMemory[];
  readonly lost: readonly string[];
}

/** `## time commit by author`, then its parts under headings of their own. */
function milestonesOf(text: string, branch: string): Found {
  const memories: ImportedMemory[] = [];
  const lost: string[] = [];
  for (const section of text.split(/^(?=## \d{4}-\S+ [0-9a-f]{12} by )/m).slice(1)) {
    const [head = "", ...rest] = section.split("\n");
    const parts = new Map(
      rest
        .join("\n")
        .split(PART)
        .slice(1)
        .flatMap((part, at, all) => (at % 2 === 0 ? [[part, (all[at + 1] ?? "").trim()]] : [])) as [
        string,
        string,
      ][],
    );
    const said = parts.get("This contribution");
    if (said === undefined || said === "") {
      lost.push(head);
      continue;
    }
    const attributes = defined({
      branch,
      message: parts.get("Message") ?? said,
      purpose: parts.get("Purpose of the branch"),
      progress: parts.get("Progress so far"),
      decision: parts.get("Decision"),
    });
    memories.push({
      id: anchored(head).id ?? derivedId(`gcc/${branch}`, "milestone", head, 0),
      type: "milestone",
      text: said,
      attributes,
      ...madeBy(head),
    });
  }
  return { memories, lost };
}
const PART = /^### (Purpose of the branch|Progress so far|This contribution|Message|Decision)\n/m;

/** `- time kind: text`, with the branch it was made on if that was another one. */
function stepsOf(text: string, branch: string): Found {
  const memories: ImportedMemory[] = [];
  const lost: string[] = [];
  // Further lines of a step are indented.
  for (const whole of text.split(/\n(?! )/).filter((one) => one.startsWith("- "))) {
    const { id: known, line } = anchored(whole.trimEnd());
    const [, at, kind, from, said] =
      /^- (\d{4}-\S+) (observation|thought|action)(?: \(from (.+?)\))?: ([\s\S]+)$/.exec(line) ?? [];
    if (at === undefined || kind === undefined || said === undefined) {
      lost.push(line);
      continue;
    }
    const id =
      known ?? derivedId(`gcc/${from ?? branch}`, "step", line.replace(/ \(from .{1,300}?\):/, ":"), 0);
    memories.push({
      id,
      type: "step",
      text: said.replaceAll("\n  ", "\n"),
      attributes: { kind, branch: from ?? branch },
      made: { at },
    });
  }
  return { memories, lost };
}

/** `## time commit by author` */
function madeBy(head: string): Pick<ImportedMemory, "made"> {
  const [, at, by] = /^## (\S+) [0-9a-f]{12} by (.+)$/.exec(anchored(head).line) ?? [];
  return at === undefined ? {} : { made: { at, ...(by !== undefined && { by }) } };
}

/** A line without the id behind it. */
function anchored(line: string): { readonly id?: string; readonly line: string } {
  const [, rest, id] = /^([\s\S]*) <!-- \^(\S+) -->$/.exec(line) ?? [];
  return rest === undefined || id === undefined ? { line } : { id, line: rest };
}
