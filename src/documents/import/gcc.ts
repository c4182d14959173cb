import { derivedId } from "../derived-id.js";
import { defined, type Import, type ImportedMemory } from "./item.js";

type Files = ReadonlyMap<string, string>;

/** The folder that tells how work on branches went: its roadmap, milestones and steps become memories again. */
export function importGcc(files: Files): Import {
  const memories: ImportedMemory[] = [];
  const problems: { where: string; reason: string }[] = [];
  const roadmap = /^# Roadmap\n\n([\s\S]*?)\n\n## Branches\n/.exec(files.get("main.md") ?? "")?.[1];
  if (roadmap !== undefined && roadmap !== "No roadmap yet.")
    memories.push({ id: "roadmap", type: "roadmap", text: roadmap });
  for (const [path, text] of files) {
    const [, branch, kind] = /^branches\/(.+)\/(commit|log)\.md$/.exec(path) ?? [];
    if (branch === undefined) continue;
    const found = kind === "log" ? stepsOf(text, branch) : milestonesOf(text, branch);
    memories.push(...found.memories);
    problems.push(
      ...found.lost.map((line) => ({ where: `${path}: ${line}`, reason: "This cannot be read." })),
    );
  }
  return { memories, forgotten: [], problems };
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
    });
  }
  return { memories, lost };
}
const PART = /^### (Purpose of the branch|Progress so far|This contribution|Message|Decision)\n/m;

/** `- time kind: text`, with the branch it was made on if that was another one. */
function stepsOf(text: string, branch: string): Found {
  const memories: ImportedMemory[] = [];
  const lost: string[] = [];
  for (const whole of text.split("\n").filter((one) => one.startsWith("- "))) {
    const { id: known, line } = anchored(whole);
    const [, , kind, from, said] =
      /^- (\d{4}-\S+) (observation|thought|action)(?: \(from (.+?)\))?: (.+)$/.exec(line) ?? [];
    if (kind === undefined || said === undefined) {
      lost.push(line);
      continue;
    }
    const id = known ?? derivedId(`gcc/${from ?? branch}`, "step", line.replace(/ \(from .+?\):/, ":"), 0);
    memories.push({ id, type: "step", text: said, attributes: { kind, branch: from ?? branch } });
  }
  return { memories, lost };
}

/** A line without the id behind it. */
function anchored(line: string): { readonly id?: string; readonly line: string } {
  const [, rest, id] = /^(.*) <!-- \^(\S+) -->$/.exec(line) ?? [];
  return rest === undefined || id === undefined ? { line } : { id, line: rest };
}
