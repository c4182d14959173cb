import { canonical, PalimpsestError } from "../../core/base/index.js";
import { type Import, type ImportedMemory, type ImportProblem, isObject, textOf } from "./item.js";

type Files = ReadonlyMap<string, string>;

/** `~/.mempalace`: who the agent is, and drawers in rooms. */
export function importPalace(files: Files): Import {
  const memories: ImportedMemory[] = [];
  const identity = textOf(files.get("identity.txt"));
  if (identity !== undefined)
    memories.push({
      id: "palace/identity",
      // A long self-description is a document; a belief is a sentence or a few.
      type: [...identity].length > 1200 ? "note" : "identity",
      category: "identity",
      text: identity,
      uri: "identity.txt",
    });
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [, group, name] = /^rooms\/([^/]+)\/(.+)\.md$/.exec(path) ?? [];
    if (group === undefined || name === undefined || textOf(text) === undefined) continue;
    const room = `palace/${group}`;
    const known = (id: string) => memories.some((one) => one.id === id);
    if (!known(TOP.id)) memories.push(TOP);
    if (!known(room)) memories.push(roomNamed(group));
    memories.push(drawerOf(group, name, text, path));
  }
  const config = textOf(files.get("config/mempalace.yaml"));
  if (config !== undefined)
    memories.push({
      id: "palace/config",
      type: "note",
      category: "config",
      text: config,
      uri: "config/mempalace.yaml",
    });
  if (memories.length === 0)
    throw new PalimpsestError("INVALID_FILE", "There is no identity.txt and no room in this folder.");
  return { memories, forgotten: [], problems: [] };
}

/** What all rooms lie under. */
const TOP: ImportedMemory = { id: "palace", type: "palace", text: "Memory palace" };

const roomNamed = (name: string): ImportedMemory => ({
  id: `palace/${name}`,
  type: "room",
  parent: TOP.id,
  text: name,
  attributes: { TITLE: name },
});

const drawerOf = (room: string, name: string, text: string, uri: string): ImportedMemory => ({
  id: `palace/${room}/${name}`,
  type: "drawer",
  parent: `palace/${room}`,
  text,
  attributes: { TITLE: name },
  uri,
});

const DAY = /^(?:memory\/)?(?<page>(?<day>\d{4}-\d\d-\d\d)(?:-[^/]{1,80})?)\.md$/;

/** What lies where the pages of days lie and is none: nobody would notice that it is not read. */
export function besideDays(paths: readonly string[]): string[] {
  const folder = paths.some((path) => path.startsWith("memory/") && DAY.test(path)) ? "memory/" : "";
  return paths.filter((path) => {
    const isHidden = /(?:^|\/)\./.test(path);
    return path.startsWith(folder) && !isHidden && path !== "MEMORY.md" && !DAY.test(path);
  });
}

/** `MEMORY.md` and `memory/YYYY-MM-DD.md`, also with a name behind the day: what is kept for long, and pages of days. */
export function importDailyNotes(files: Files): Import {
  const memories: ImportedMemory[] = [TOP];
  const long = textOf(files.get("MEMORY.md"));
  if (long !== undefined)
    memories.push(roomNamed("memory"), drawerOf("memory", "long-term", long, "MEMORY.md"));
  const days = [...files]
    .flatMap(([path, text]) => {
      const { page, day } = DAY.exec(path)?.groups ?? {};
      return page !== undefined && day !== undefined && textOf(text) !== undefined
        ? [{ path, text, page, day }]
        : [];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (days.length > 0) memories.push(roomNamed("days"));
  const problems: { where: string; reason: string }[] = [];
  for (const { path, text, page, day } of days)
    if (Number.isNaN(Date.parse(`${day}T00:00:00Z`)))
      problems.push({ where: path, reason: "There is no such day." });
    else memories.push({ ...drawerOf("days", page, text, path), valid: { from: `${day}T00:00:00.000Z` } });
  return { memories, forgotten: [], problems };
}

const HOUR = 3_600_000;

/** A value as text; undefined of one that nests deeper than a memory's fields may. */
function saidIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  try {
    canonical(value ?? null);
    return JSON.stringify(value ?? null);
  } catch {
    return undefined;
  }
}

/** `~/.hermes/scratchpad/<session>.json`: notes of a session that end with their time to live. */
export function importScratchpad(text: string, name: string, now: string): Import {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new PalimpsestError("INVALID_FILE", `${JSON.stringify(name)} is not JSON.`);
  }
  const pad = isObject(data) ? data : {};
  const session = textOf(pad.session_id) ?? name.replace(/^.*[/\\]|\.json$/g, "");
  const ttl = typeof pad.ttl === "number" ? pad.ttl * 1000 : HOUR;
  const problems: ImportProblem[] = [];
  const memories = entriesOf(pad).flatMap(([key, entry], index): ImportedMemory[] => {
    const value = saidIn(entry.value);
    if (value === undefined) {
      problems.push({ where: `entry ${key}`, reason: "Its value is nested too deep." });
      return [];
    }
    const at = timeOf(entry.timestamp ?? entry.written_at ?? pad.created) ?? Date.parse(now);
    const own = typeof entry.ttl === "number" ? entry.ttl * 1000 : ttl;
    if (textOf(value) === undefined) return [];
    if (at + own <= Date.parse(now)) {
      problems.push({ where: `entry ${key}`, reason: "It had expired.", expired: true });
      return [];
    }
    return [
      {
        id: `scratch/${session}/${index + 1}`,
        type: "note",
        category: "scratchpad",
        text: value,
        lifetime: "temporary",
        expiresAt: new Date(at + own).toISOString(),
        attributes: { key, session, ...(textOf(entry.tool_origin) && { tool: entry.tool_origin as string }) },
      },
    ];
  });
  return { memories, forgotten: [], problems };
}

/** A list of entries with keys, or an object of them by key. */
function entriesOf(pad: Record<string, unknown>): [string, Record<string, unknown>][] {
  const entries = pad.entries ?? pad;
  if (Array.isArray(entries))
    return entries.filter(isObject).map((entry, index) => [textOf(entry.key) ?? String(index + 1), entry]);
  return Object.entries(entries as object)
    .filter(([key]) => !["session_id", "created", "ttl", "__proto__"].includes(key))
    .map(([key, value]) => [key, isObject(value) && "value" in value ? value : { value }]);
}

function timeOf(value: unknown): number | undefined {
  const at =
    typeof value === "number" ? value * 1000 : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}
