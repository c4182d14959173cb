import { isBlank, type Json, PalimpsestError, type Scope } from "../../core/base/index.js";
import { laneOf } from "../../core/ledger/index.js";
import { checkShape, type Refusal, refuse, type Verdict } from "../../gate/index.js";
import {
  CONFIG_ID,
  descriptionOf,
  ensurePlace,
  findDrawer,
  findPlace,
  get,
  IDENTITY_ID,
  isDrawer,
  isRoom,
  judgeMoved,
  type Memory,
  nameOf,
  newRecord,
  type Place,
  parsePlace,
  parsePlaceName,
  placeText,
  ROOM,
  refused,
  remember,
  renew,
  requirePlace,
  samePlaceName,
  scopeOf,
  TITLE,
  weakerThanWriter,
} from "../../memories/index.js";
import {
  type At,
  type Draft,
  type Entry,
  findWhole,
  isExpired,
  type Job,
  requireEntry,
} from "../../repo/index.js";
import { DEFAULT_CONFIG, editConfig, type PalaceConfig, readConfig } from "../config.js";
import type { Layout } from "../layouts.js";
import type { NewPlaceOptions, PlaceOptions } from "../options.js";

/** Says who the agent is. A long text is a document and not a belief, so that it may have to be written anew. */
export async function setIdentity(job: Job, text: string, options: PlaceOptions): Promise<Verdict> {
  const { context, draft } = job;
  const type = [...text].length > context.rules.limits.belief ? "note" : "identity";
  const scope = scopeOf(context, definedScope(options));
  const old = context.sight.sees(scope) ? await draft.entry(scope, IDENTITY_ID) : undefined;
  const isOther = old && context.sight.seesRecord(old.record) && laneOf(old.record.type) !== laneOf(type);
  const said = { id: IDENTITY_ID, scope, type, category: "identity", text };
  if (isOther) {
    const refusal =
      weakerThanWriter(context, old.record) ??
      (await judgeMoved(job, await newRecord(context, said, IDENTITY_ID, draft.now, draft.reader), 0))
        .refusal;
    if (refusal) return refused(draft, keepsOld(refusal), scope, IDENTITY_ID);
    draft.forget(old);
  }
  return remember(job, said);
}

/** One of the other kind would have to wait beside the one that it is to replace; so it is turned away. */
const keepsOld = (refusal: Refusal): Refusal =>
  refusal.verdict === "quarantined"
    ? {
        ...refusal,
        verdict: "rejected",
        hint: "Nothing was changed; say it as long or as short as it is now, or ask somebody of more trust.",
      }
    : refusal;

export async function setConfig(
  job: Job,
  key: string,
  value: Json | undefined,
  options: PlaceOptions,
): Promise<Verdict> {
  const { context, draft } = job;
  const scope = scopeOf(context, definedScope(options));
  const old = context.sight.sees(scope) ? await draft.entry(scope, CONFIG_ID) : undefined;
  const known = old && context.sight.seesRecord(old.record) ? old.record.text : DEFAULT_CONFIG;
  const text = await editConfig(known, key, value);
  return remember(job, { id: CONFIG_ID, scope, type: "note", category: "config", text });
}

/** Makes a room, or a drawer and its room, unless they are there; and says what it is for. */
export async function createPlace(job: Job, text: string, options: NewPlaceOptions): Promise<Verdict> {
  const { context, draft } = job;
  const [place, scope] = [parsePlace(text), scopeOf(context, definedScope(options))];
  const before = await findPlace(job, scope, place);
  const made = before ?? (await ensurePlace(job, scope, place));
  if ("verdict" in made) return made;
  const { description } = options;
  if (description !== undefined && !isBlankText(description) && description !== descriptionOf(made.record)) {
    const said = await renew(job, made, { text: description }, "modify");
    return before || said.verdict !== "updated" ? said : { ...said, verdict: "accepted" };
  }
  const { record, hash, version } = made;
  const where = { id: record.id, scope, hash, version, branch: draft.branch };
  if (!before) return { verdict: "accepted", ...where };
  return {
    verdict: "duplicate",
    ...where,
    of: record.id,
    check: "duplicate",
    reason: `${JSON.stringify(placeText(place))} is there already.`,
    hint: "Nothing needs to be done.",
  };
}

/** The rooms and drawers of a layout that are not there yet. */
export async function layOut(job: Job, layout: Layout, options: PlaceOptions): Promise<Verdict[]> {
  const { context } = job;
  const verdicts: Verdict[] = [];
  for (const { name, description, drawers = [] } of layout.rooms) {
    const known = await findPlace(job, scopeOf(context, definedScope(options)), { room: name });
    const described = known || description === "" ? {} : { description };
    verdicts.push(await createPlace(job, name, { ...options, ...described }));
    for (const drawer of drawers) verdicts.push(await createPlace(job, `${name}/${drawer}`, options));
  }
  return verdicts;
}

/** A description that says nothing is none; what is no text is refused. */
function isBlankText(description: string): boolean {
  if (typeof description === "string" && isBlank(description)) return true;
  checkShape({ text: description, type: ROOM }, { change: true });
  return false;
}

export async function describePlace(
  job: Job,
  text: string,
  description: string,
  options: PlaceOptions,
): Promise<Verdict> {
  const { context } = job;
  const entry = await requirePlace(job, scopeOf(context, definedScope(options)), parsePlace(text));
  const words = isBlankText(description) ? nameOf(entry.record) : description;
  return renew(job, entry, { text: words }, "modify");
}

/** Gives a room or drawer another name. What lies in it stays where it is, and so does its id. */
export async function renamePlace(
  job: Job,
  text: string,
  newName: string,
  options: PlaceOptions,
): Promise<Verdict> {
  const { context, draft } = job;
  const [place, name] = [parsePlace(text), parsePlaceName(newName)];
  const scope = scopeOf(context, definedScope(options));
  const entry = await requirePlace(job, scope, place);
  const other = place.drawer === undefined ? { room: name } : { ...place, drawer: name };
  const taken = await findPlace(job, scope, other);
  if (taken && taken.record.id !== entry.record.id) return nameTaken(draft, entry, other);
  return renameEntry(job, entry, name);
}

/** A text that only repeats the name follows it. */
export function renameEntry(job: Job, entry: Entry, name: string): Promise<Verdict> {
  const text = descriptionOf(entry.record) === "" ? { text: name } : {};
  return renew(job, entry, { ...text, attributes: { [TITLE]: name } }, "modify");
}

/** Puts a drawer into another room, or a memory into a room or drawer. */
export async function moveInPalace(
  job: Job,
  what: string,
  to: string,
  options: PlaceOptions,
): Promise<Verdict> {
  const { context, draft } = job;
  const scope = scopeOf(context, definedScope(options));
  const drawer = await drawerNamed(job, scope, what);
  const entry = drawer ?? (await requireEntry(job, what, options.scope));
  const place = parsePlace(to);
  if (isRoom(entry.record)) throw new PalimpsestError("INVALID_NAME", "A room lies in no other place.");
  if (isDrawer(entry.record) && place.drawer !== undefined)
    throw new PalimpsestError("INVALID_NAME", "A drawer lies in a room and in no other drawer.", {
      hint: "Name the room alone.",
    });
  const target = await ensurePlace(job, entry.record.scope, place);
  if ("verdict" in target) return target;
  if (isDrawer(entry.record)) {
    const taken = await findDrawer(job, target, nameOf(entry.record));
    if (taken && taken.record.id !== entry.record.id)
      return nameTaken(draft, entry, { ...place, drawer: nameOf(entry.record) });
  }
  return renew(job, entry, { parent: target.record.id }, "modify");
}

async function drawerNamed(job: Job, scope: Scope, what: string): Promise<Entry | undefined> {
  const { draft } = job;
  const parts = what.split("/");
  if (parts.length !== 2 || parts.some((part) => part.trim() === "")) return undefined;
  const found = await findPlace(job, scope, parsePlace(what));
  return found && !isExpired(found, draft.now) && samePlaceName(nameOf(found.record), parts[1] as string)
    ? found
    : undefined;
}

const nameTaken = (draft: Draft, { record }: Entry, place: Place): Verdict =>
  refused(
    draft,
    refuse(
      "NAME_TAKEN",
      "place",
      `There is a ${JSON.stringify(placeText(place))} already.`,
      "Choose another name, or move what lies in it.",
    ),
    record.scope,
    record.id,
  );

const definedScope = ({ scope }: PlaceOptions): { scope?: string } => (scope === undefined ? {} : { scope });

/** Who the agent is: in its own scope, else its project's, else the shared one. */
export async function identity(at: At, scope: string | undefined): Promise<Memory | undefined> {
  // Where there is none, nobody looks for ids that this one might be a part of: it is asked for at every recall.
  return get(at, IDENTITY_ID, scope, findWhole);
}

/** The settings of a palace; those of a new one where nobody has said anything. */
export async function config(at: At, scope: string | undefined): Promise<string> {
  const own = await get(at, CONFIG_ID, scope, findWhole);
  return own?.text ?? DEFAULT_CONFIG;
}

/** The same, read. */
export const settings = async (at: At): Promise<PalaceConfig> => readConfig(await config(at, undefined));
