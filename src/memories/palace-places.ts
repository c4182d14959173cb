import { type MemoryId, PalimpsestError, type Scope } from "../core/base/index.js";
import type { MemoryInput, Verdict } from "../gate/index.js";
import type { Job } from "../repo/index.js";
import { type Entry, isExpired } from "../repo/index.js";
import { admit, wasHeldUnseen } from "./admit.js";
import { newRecord } from "./build-record.js";
import {
  DRAWER,
  drawerId,
  PALACE,
  PALACE_ID,
  type Place,
  placeText,
  ROOM,
  roomId,
  samePlaceName,
  TITLE,
} from "./places.js";
import { orderedChildren } from "./placing.js";
import { isDrawer, isRoom, nameOf } from "./tree.js";

/** The room or drawer of a name, as a draft has it. */
export async function findPlace(job: Job, scope: Scope, { room, drawer }: Place): Promise<Entry | undefined> {
  const found = await findRoom(job, scope, room);
  return !found || drawer === undefined ? found : findDrawer(job, found, drawer);
}

async function findRoom(job: Job, scope: Scope, name: string): Promise<Entry | undefined> {
  const isIt = ({ record }: Entry): boolean => isRoom(record) && samePlaceName(nameOf(record), name);
  // Nearly always it has the id that its name gives; only one that was renamed has to be looked for.
  const usual = await visible(job, scope, roomId(name));
  if (usual && isIt(usual)) return usual;
  return (await orderedChildren(job, scope, PALACE_ID)).find(isIt);
}

export async function findDrawer(
  job: Job,
  { record: { scope, id } }: Entry,
  name: string,
): Promise<Entry | undefined> {
  const isIt = ({ record }: Entry): boolean =>
    isDrawer(record) && record.parent === id && samePlaceName(nameOf(record), name);
  const usual = await visible(job, scope, drawerId(id, name));
  if (usual && isIt(usual)) return usual;
  return (await orderedChildren(job, scope, id)).find(isIt);
}

async function visible(job: Job, scope: Scope, id: MemoryId): Promise<Entry | undefined> {
  const { draft } = job;
  const { sight } = job.context;
  const entry = await draft.entry(scope, id);
  return entry && sight.seesRecord(entry.record) && !isExpired(entry, draft.now) ? entry : undefined;
}

export async function requirePlace(job: Job, scope: Scope, place: Place): Promise<Entry> {
  const found = await findPlace(job, scope, place);
  if (found) return found;
  throw new PalimpsestError("NOT_FOUND", `There is no ${JSON.stringify(placeText(place))} in the palace.`, {
    hint: "See `pal palace rooms`; make it with `pal palace new <room/drawer>`.",
  });
}

/** The room or drawer of a name, made if it is not there; or why it cannot be. */
export async function ensurePlace(job: Job, scope: Scope, { room, drawer }: Place): Promise<Entry | Verdict> {
  const found = (await findRoom(job, scope, room)) ?? (await makeRoom(job, scope, room));
  if ("verdict" in found || drawer === undefined) return found;
  const inside = await findDrawer(job, found, drawer);
  return (
    inside ?? make(job, scope, drawerId(found.record.id, drawer), placeInput(drawer, DRAWER, found.record.id))
  );
}

async function makeRoom(job: Job, scope: Scope, name: string): Promise<Entry | Verdict> {
  const { context, draft } = job;
  // Of a scope out of sight nothing is looked up: the gate says that it is not seen.
  const top = context.sight.sees(scope) ? await draft.entry(scope, PALACE_ID) : undefined;
  if (!top) {
    const made = await make(job, scope, PALACE_ID, { type: PALACE, text: "Memory palace" });
    if ("verdict" in made) return made;
  }
  return make(job, scope, roomId(name), placeInput(name, ROOM, PALACE_ID));
}

const placeInput = (name: string, type: string, parent: MemoryId): MemoryInput => ({
  type,
  text: name,
  parent,
  attributes: { [TITLE]: name },
});

/** Under the id that follows from its name; if that is in use, for it was renamed or is hidden, under a fresh one. */
async function make(job: Job, scope: Scope, wanted: MemoryId, input: MemoryInput): Promise<Entry | Verdict> {
  const { context, draft } = job;
  const there = context.sight.sees(scope) ? await draft.entry(scope, wanted) : undefined;
  const isTaken = there
    ? !isExpired(there, draft.now)
    : context.sight.sees(scope) && (await wasHeldUnseen(job, scope, wanted));
  const id = isTaken ? context.newId() : wanted;
  const record = await newRecord(context, { ...input, scope }, id, draft.now, draft.reader);
  const judged = await admit(job, record, there && id === wanted ? "modify" : "add", undefined, false);
  return judged.verdict === "accepted" ? ((await draft.entry(scope, id)) as Entry) : judged;
}
