import { audience, defined, type Import, type ImportedMemory, isObject, textOf } from "./item.js";

interface Line {
  readonly at: number;
  readonly value: Record<string, unknown>;
  readonly id: string;
  readonly version: number;
}

/**
 * `vault.jsonl`: one version of a memory per line. The highest version of an id counts, of equals the later line; a
 * deletion is a line too. Lines without a tier are from before there were tiers and are canon.
 */
export function importVault(text: string): Import {
  const problems: { where: string; reason: string }[] = [];
  const latest = new Map<string, Line>();
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === "") continue;
    const where = `line ${index + 1}`;
    const value = parsed(row);
    if (!isObject(value) || textOf(value.id) === undefined) {
      problems.push({ where, reason: "This is no memory: an object with an id is expected." });
      continue;
    }
    const id = value.id as string;
    const version = typeof value.version === "number" ? value.version : 1;
    const known = latest.get(id);
    if (!known || version >= known.version) latest.set(id, { at: index + 1, value, id, version });
  }
  const live: Line[] = [];
  const forgotten: { id: string; scope?: string }[] = [];
  for (const line of latest.values()) {
    if (line.value.deleted_at) forgotten.push({ id: line.id, ...scoped(line) });
    else if (textOf(line.value.text) === undefined)
      problems.push({ where: `line ${line.at}`, reason: "This memory has no text." });
    else live.push(line);
  }
  const holders = topicHolders(live);
  return { memories: live.map((line) => memoryOf(line, holders)), forgotten, problems };
}

function parsed(row: string): unknown {
  try {
    return JSON.parse(row);
  } catch {
    return undefined;
  }
}

const scoped = ({ value }: Line): { scope?: string } => defined({ scope: audience(value.scope) });
const timeOf = ({ value }: Line): string => String(value.updated_at ?? value.created_at ?? "");

/** Two writers could make two registers of one topic; the one written last is it, the other is a memory without. */
function topicHolders(lines: readonly Line[]): Set<Line> {
  const holders = new Map<string, Line>();
  for (const line of lines) {
    const topic = textOf(line.value.topic_id);
    const key = JSON.stringify([audience(line.value.scope), topic]);
    const known = holders.get(key);
    if (topic !== undefined && (!known || timeOf(line) >= timeOf(known))) holders.set(key, line);
  }
  return new Set(holders.values());
}

function memoryOf(line: Line, holders: ReadonlySet<Line>): ImportedMemory {
  const { category, tags, tier, topic_id, source, created_at, updated_at, version } = line.value;
  return {
    id: line.id,
    text: line.value.text as string,
    ...scoped(line),
    ...defined({
      category: textOf(category),
      tags: Array.isArray(tags) ? tags.filter((tag) => textOf(tag) !== undefined) : undefined,
      topic: holders.has(line) ? textOf(topic_id) : undefined,
    }),
    tier: tier === "register" ? "register" : "canon",
    attributes: { imported: defined({ from: "vault", source, created_at, updated_at, version }) },
  };
}
