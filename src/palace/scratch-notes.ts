import { PalimpsestError } from "../core/base/index.js";
import type { Storage } from "../storage/index.js";
import { EMPTY_PAD, nextExpiry, type Pad, readPad, withoutExpired } from "./scratchpad.js";

/**
 * Scratchpads are notes beside the truth: one for each agent and session, and one that says when the first entry of
 * each expires, so that whoever comes by later can remove what nobody asks for any more.
 */
const padKey = (agent: string, session: string): string => `${SCRATCH}/${agent}/${session}`;
export const SCRATCH = "scratch";
const DUE = SCRATCH;
/** Whose pad it is: the name of an agent holds no slash. */
export const scratchOwner = (key: string): string | undefined =>
  key.startsWith(`${SCRATCH}/`) ? key.split("/")[1] : undefined;
const ATTEMPTS = 100;

export const readScratch = async (
  storage: Storage,
  agent: string,
  session: string,
  now: number,
): Promise<Pad> => withoutExpired(readPad(await storage.side(padKey(agent, session))), now);

/** Replaces a pad by what `change` makes of it, as one step among all processes. */
export async function changeScratch(
  storage: Storage,
  agent: string,
  session: string,
  change: (pad: Pad) => Pad,
): Promise<Pad> {
  // The first note of a store has to make it: a note alone does not.
  if (!(await storage.exists())) await storage.exclusive(async () => undefined);
  const key = padKey(agent, session);
  // Announced first: a pad that nobody has heard of would never be removed.
  const due = nextExpiry(change(readPad(await storage.side(key))));
  if (due !== undefined) await changeDue(storage, (all) => ({ ...all, [key]: due }));
  return replace(storage, key, change);
}

export const eraseScratch = (storage: Storage, agent: string, session: string): Promise<Pad> =>
  replace(storage, padKey(agent, session), () => EMPTY_PAD);

async function replace(storage: Storage, key: string, change: (pad: Pad) => Pad): Promise<Pad> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const text = await storage.side(key);
    const pad = readPad(text);
    const next = change(pad);
    const value = next.entries.length === 0 ? null : JSON.stringify(next);
    if (next === pad || value === (text ?? null)) return next;
    if (await storage.setSide(key, value, text ?? null)) return next;
  }
  throw new PalimpsestError("STORE_BUSY", "Others write to this scratchpad all the time.");
}

type Due = Readonly<Record<string, number>>;

/** Removes what has expired, of whichever session; costs one look when nothing has. */
export async function sweepScratch(storage: Storage, now: number): Promise<void> {
  const expired = Object.entries(dueIn(await storage.side(DUE))).filter(([, due]) => due <= now);
  for (const [key] of expired) {
    const pad = await replace(storage, key, (one) => withoutExpired(one, now));
    const next = nextExpiry(pad);
    await changeDue(storage, ({ [key]: _, ...rest }) =>
      next === undefined ? rest : { ...rest, [key]: next },
    );
  }
}

async function changeDue(storage: Storage, change: (due: Due) => Due): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const text = await storage.side(DUE);
    const next = JSON.stringify(change(dueIn(text)));
    if (next === (text ?? "{}") || (await storage.setSide(DUE, next === "{}" ? null : next, text ?? null)))
      return;
  }
}

function dueIn(text: string | undefined): Due {
  try {
    const found: unknown = JSON.parse(text ?? "{}");
    return typeof found === "object" && found !== null ? (found as Due) : {};
  } catch {
    return {};
  }
}
