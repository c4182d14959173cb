import type { Exported } from "./exported-fields.js";
import { byPosition, exactText, graphLines, relationOf, typeOfEntity } from "./graph.js";

export type ExportFormat = "json" | "jsonl" | "markdown" | "org" | "mcp-memory";

export interface ExportedBranch {
  readonly name: string;
  readonly persona: string;
  readonly head: string;
}

export interface ExportInput {
  readonly at: string;
  readonly branch: string;
  readonly branches: readonly ExportedBranch[];
  readonly memories: readonly Exported[];
  readonly history?: readonly {
    readonly commit: string;
    readonly time: string;
    readonly message?: string | undefined;
  }[];
}

/** Memories as a file for people or another program, piece by piece, because a large one does not fit a single text. */
export function exportParts(format: "markdown" | "org" | "mcp-memory", input: ExportInput): Iterable<string> {
  return { markdown: markdownParts, org: orgParts, "mcp-memory": graphParts }[format](input);
}

/** The knowledge graph alone, as the official memory server keeps it. */
function graphParts({ memories }: ExportInput): Iterable<string> {
  const of = (type: string) => memories.filter((memory) => memory.type === type).sort(byPosition);
  const remarks = new Map<string | undefined, string[]>();
  for (const remark of of("remark"))
    remarks.set(remark.parent, [...(remarks.get(remark.parent) ?? []), exactText(remark)]);
  return graphLines({
    entities: of("entity").map((entity) => ({
      name: exactText(entity),
      entityType: typeOfEntity(entity),
      observations: remarks.get(entity.id) ?? [],
    })),
    relations: of("relation").map(relationOf),
  });
}

/** Whoever reads line by line finds a parent before its children. */
export function parentsFirst<
  T extends { readonly id: string; readonly scope?: string; readonly parent?: string },
>(items: readonly T[]): T[] {
  const keyOf = (scope: string | undefined, id: string) => `${scope ?? ""}\n${id}`;
  const byKey = new Map(items.map((item) => [keyOf(item.scope, item.id), item]));
  const done = new Set<T>();
  const order: T[] = [];
  for (const item of items) {
    const trail: T[] = [];
    for (let at: T | undefined = item; at && !done.has(at); ) {
      done.add(at);
      trail.push(at);
      at = at.parent === undefined ? undefined : byKey.get(keyOf(at.scope, at.parent));
    }
    order.push(...trail.reverse());
  }
  return order;
}

function* markdownParts({ at, branch, branches, memories, history }: ExportInput): Generator<string> {
  yield `# Memories\n\nExported ${at} from branch ${branch}: ${memories.length} memories.\n\n## Branches\n\n`;
  for (const { name, persona, head } of branches) yield `- ${name} (${persona}) ${head.slice(0, 12)}\n`;
  yield "\n## Memories\n";
  const groups = new Map<string, Exported[]>();
  for (const memory of memories) {
    const subject = memory.triple?.subject ?? memory.category ?? memory.type;
    groups.set(subject, [...(groups.get(subject) ?? []), memory]);
  }
  for (const [subject, group] of groups) {
    yield `\n### ${oneLine(subject)}\n\n`;
    for (const { triple, text, confidence } of group) {
      const said = triple ? `${oneLine(triple.predicate)}: **${oneLine(triple.object)}**` : indented(text);
      yield `- ${said}${confidence === 1 ? "" : ` [${Math.round(confidence * 100)}%]`}\n`;
    }
  }
  if (!history) return;
  yield "\n## History\n\n";
  for (const { commit, time, message } of history)
    yield `- ${time} ${commit.slice(0, 12)} ${oneLine(message ?? "")}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
const indented = (text: string): string => text.trimEnd().replace(/\n/g, "\n  ");

/** Every memory is a headline with its fields in the drawer; trees keep their shape. */
function* orgParts({ at, memories }: ExportInput): Generator<string> {
  yield `#+TITLE: Memories\n#+DATE: ${at}\n`;
  const byKey = new Map(memories.map((memory) => [`${memory.scope}\n${memory.id}`, memory]));
  const isTop = ({ scope, parent }: Exported) => parent === undefined || !byKey.has(`${scope}\n${parent}`);
  const waiting = memories
    .filter(isTop)
    .map((memory) => ({ memory, level: 1 }))
    .reverse();
  for (let top = waiting.pop(); top; top = waiting.pop()) {
    const { memory, level } = top;
    yield orgHeadline(memory, level);
    for (const id of memory.children.toReversed()) {
      const child = byKey.get(`${memory.scope}\n${id}`);
      if (child) waiting.push({ memory: child, level: level + 1 });
    }
  }
}

function orgHeadline(memory: Exported, level: number): string {
  const [title = "", ...rest] = memory.text.split("\n");
  const tags = memory.tags.filter((tag) => /^[\p{L}\p{N}_@#%]+$/u.test(tag));
  const todo = typeof memory.attributes.TODO === "string" ? `${memory.attributes.TODO} ` : "";
  const drawer = {
    ID: memory.id,
    TYPE: memory.type,
    SCOPE: memory.scope,
    TIER: memory.tier,
    TOPIC: memory.topic,
    CATEGORY: memory.category,
  };
  const properties = Object.entries(drawer).filter(([, value]) => value !== undefined);
  // A line of stars inside a text would be a headline.
  const body = rest
    .join("\n")
    .replace(/(^|\n)(\*+ )/g, "$1,$2")
    .trimEnd();
  return [
    `${"*".repeat(level)} ${todo}${oneLine(title)}${tags.length > 0 ? ` :${tags.join(":")}:` : ""}`,
    ":PROPERTIES:",
    ...properties.map(([name, value]) => `:${name}: ${oneLine(String(value))}`),
    ":END:",
    ...(body === "" ? [] : [body]),
    "",
  ].join("\n");
}
