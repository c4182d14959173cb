import { type Json, PalimpsestError } from "../../core/base/index.js";
import { derivedId } from "../derived-id.js";
import { defined, type Import, type ImportedMemory, isObject, textOf } from "./item.js";

type Files = ReadonlyMap<string, string>;
type Event = Record<string, unknown>;

/**
 * The folder `workspace/memory` of nanobot, as documented (`events/`, `commits/`, `branches.json`) and as built
 * (`ledger/events/`, `ledger/commits/`, `branches/<name>.json`): the live facts of the current branch.
 */
export function importNanobot(files: Files): Import {
  const problems: { where: string; reason: string }[] = [];
  const view = new Map<string, Event>();
  for (const event of historyOf(files, problems)) apply(view, event);
  const memories = [...view.values()].filter((event) => event.hidden !== true).map(factOf);
  const legacy = textOf(files.get("MEMORY.md"));
  if (memories.length === 0 && legacy !== undefined)
    return { memories: [{ id: "nanobot-memory", type: "note", text: legacy }], forgotten: [], problems };
  if (memories.length === 0 && problems.length === 0)
    throw new PalimpsestError("INVALID_FILE", "There are no events and no MEMORY.md in this folder.");
  return { memories, forgotten: [], problems };
}

/** Events of the current branch, oldest first. */
function historyOf(files: Files, problems: { where: string; reason: string }[]): Event[] {
  const read = (name: string): Event | undefined =>
    [`${name}`, `ledger/${name}`].map((path) => parsed(files.get(path))).find(isObject);
  const branch = textOf(files.get("HEAD"))?.trim() ?? "main";
  const commits: Event[] = [];
  const seen = new Set<string>();
  for (let at = headOf(files, branch); at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const commit = read(`commits/${at}.json`);
    if (!commit) {
      problems.push({ where: `commits/${at}.json`, reason: "This commit is missing or cannot be read." });
      break;
    }
    commits.unshift(commit);
    at = textOf(commit.parent_id);
  }
  if (commits.length === 0) return allEvents(files);
  return commits.flatMap(({ events }) =>
    (Array.isArray(events) ? events : []).flatMap((id) => {
      const event = isObject(id) ? id : read(`events/${id}.json`);
      if (!event)
        problems.push({ where: `events/${id}.json`, reason: "This event is missing or cannot be read." });
      return event ? [event] : [];
    }),
  );
}

function headOf(files: Files, branch: string): string | undefined {
  const own = parsed(files.get(`branches/${branch}.json`));
  if (isObject(own)) return textOf(own.head);
  const all = parsed(files.get("branches.json"));
  const listed = Array.isArray(all) ? all : isObject(all) ? (all.branches ?? all) : [];
  const found = Array.isArray(listed)
    ? listed.find((item) => isObject(item) && item.name === branch)
    : (listed as Event)[branch];
  return isObject(found) ? textOf(found.head) : textOf(found);
}

/** Without branches and commits the time of each event has to do. */
const allEvents = (files: Files): Event[] =>
  [...files]
    .filter(([path]) => /^(?:ledger\/)?events\/[^/]+\.json$/.test(path))
    .map(([, text]) => parsed(text))
    .filter(isObject)
    .sort((a, b) => (String(a.timestamp) < String(b.timestamp) ? -1 : 1));

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const kindOf = (event: Event): string => String(event.event_type ?? event.type ?? "add");
const slotOf = ({ subject, predicate, scope }: Event): string =>
  JSON.stringify([subject, predicate, scope ?? null]);

function apply(view: Map<string, Event>, event: Event): void {
  const kind = kindOf(event);
  // A correction often does not repeat the scope of what it corrects.
  const own = slotOf(event);
  const isNamed = kind === "add" || view.has(own);
  const key = isNamed ? own : ([...view].find(([, old]) => isSame(old, event))?.[0] ?? own);
  const old = view.get(key);
  if (kind === "forget") view.delete(key);
  else if (kind === "deprecate") view.set(key, { ...(old ?? event), hidden: true });
  else if ((kind === "confirm" || kind === "observe") && old)
    view.set(key, { ...old, confidence: raised(old) });
  else view.set(key, { ...old, ...event, scope: old?.scope ?? event.scope, hidden: false });
}

const isSame = (old: Event, event: Event): boolean =>
  old.subject === event.subject && old.predicate === event.predicate;
const raised = ({ confidence }: Event): number =>
  typeof confidence === "number" ? Math.min(1, confidence + (1 - confidence) / 2) : 1;

const LIVES = new Set(["permanent", "session", "temporary"]);
const SENSITIVITY: Record<string, ImportedMemory["sensitivity"]> = {
  private: "private",
  confidential: "confidential",
};

function factOf(event: Event): ImportedMemory {
  const [subject, predicate, object] = [event.subject, event.predicate, event.object].map((part) =>
    String(part ?? "?"),
  );
  const { scope, confidence, sensitivity, evidence, source, timestamp, id } = event;
  const word = textOf(scope);
  const secret = SENSITIVITY[String(sensitivity)];
  return {
    id: derivedId("nanobot", "fact", slotOf(event), 0),
    text: `${subject} ${String(predicate).replaceAll("_", " ")} ${object}`,
    type: "fact",
    triple: { subject: subject as string, predicate: predicate as string, object: object as string },
    ...(word !== undefined && !LIVES.has(word) && { category: word }),
    ...(typeof confidence === "number" && { confidence: Math.min(1, Math.max(0, confidence)) }),
    ...(secret && { sensitivity: secret }),
    ...(textOf(evidence) !== undefined && { evidence: (evidence as string).slice(0, 4000).toWellFormed() }),
    attributes: {
      imported: defined({
        from: "nanobot",
        event: id,
        source,
        timestamp,
        lifetime: LIVES.has(word ?? "") ? word : undefined,
      }) as Json,
    },
  };
}
