import { copyJson, type Json, PalimpsestError, parseName } from "../../core/base/index.js";
import { assertNameHoldsNothing, cleanJson, cleanText } from "../../gate/index.js";
import type { Access, Context } from "../../repo/index.js";
import type { ScratchListOptions, ScratchOptions, ScratchSearchOptions } from "../options.js";
import {
  append,
  changeScratch,
  current,
  eraseScratch,
  type NewScratch,
  readScratch,
  type ScratchEntry,
  type ScratchHit,
  searchPad,
  sweepScratch,
} from "../scratchpad.js";

/** Appends an entry. Secrets are cut out as from messages, and refused in names: a pad is a file like any other while it lasts. */
export async function addScratch(
  access: Access,
  added: NewScratch,
  options: ScratchOptions,
): Promise<ScratchEntry> {
  const entry = added.ttl === undefined ? { ...added, ...(await usualTtl(access)) } : added;
  const { context } = access;
  const { storage, clock } = context.engine;
  const session = sessionOf(context, options);
  const modes = context.rules.modes.message;
  const names = { agent: context.agent, session, key: entry.key, tool: entry.tool };
  for (const [what, name] of Object.entries(names))
    if (typeof name === "string") assertNameHoldsNothing(what, name, modes);
  const value: Json =
    typeof entry.value === "string"
      ? cleanText(entry.value, modes)
      : (cleanJson(copyJson({ value: entry.value }), modes) as { value: Json }).value;
  const now = clock();
  const pad = await changeScratch(storage, context.agent, session, (old) =>
    append(old, { ...entry, value }, now),
  );
  await sweepScratch(storage, now);
  return pad.entries.at(-1) as ScratchEntry;
}

/** How long an entry lives, where the palace says so. */
async function usualTtl(access: Access): Promise<Pick<NewScratch, "ttl">> {
  const { settings } = await import("./palace.js");
  const { scratchpad } = await access.look(undefined, settings);
  return scratchpad?.ttl === undefined ? {} : { ttl: scratchpad.ttl * 1000 };
}

/** What is in the pad: the newest entry of each key, or with `all` every entry that has not expired. */
export async function scratch(context: Context, options: ScratchListOptions): Promise<ScratchEntry[]> {
  const { storage, clock } = context.engine;
  const now = clock();
  const pad = await readScratch(storage, context.agent, sessionOf(context, options), now);
  await sweepScratch(storage, now);
  const entries = options.all ? pad.entries : current(pad);
  return entries.filter(({ key }) => options.key === undefined || key === options.key);
}

/** L2: the entries of the pad that answer a question, best first. */
export async function searchScratch(
  context: Context,
  question: string,
  { limit = 5, ...options }: ScratchSearchOptions,
): Promise<ScratchHit[]> {
  const { storage, clock } = context.engine;
  const pad = await readScratch(storage, context.agent, sessionOf(context, options), clock());
  return searchPad(pad, question, limit);
}

/** Empties the pad; nothing that is remembered changes. Answers how many entries there were. */
export async function clearScratch(context: Context, options: ScratchOptions): Promise<number> {
  const { storage, clock } = context.engine;
  const session = sessionOf(context, options);
  const { entries } = await readScratch(storage, context.agent, session, clock());
  await eraseScratch(storage, context.agent, session);
  return entries.length;
}

function sessionOf({ sessionId }: Context, { session }: ScratchOptions): string {
  const name = session ?? sessionId;
  if (name === undefined)
    throw new PalimpsestError("SESSION_REQUIRED", "A scratchpad belongs to a named session.", {
      hint: "Name the session (--session, $PAL_SESSION, sessionId) whose scratchpad it is.",
    });
  return parseName(name);
}
