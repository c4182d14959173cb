import { type Json, PalimpsestError, type Timestamp, timestamp } from "../core/base/index.js";
import type { Storage } from "../storage/index.js";
import { matchTexts } from "./mirror.js";

/** One line of a session's scratchpad. Entries are never edited: a later one with the same key stands for it. */
export interface ScratchEntry {
  /** Its number in the pad, from 1. */
  readonly seq: number;
  readonly key: string;
  readonly value: Json;
  /** The tool it came from. */
  readonly tool?: string;
  readonly time: Timestamp;
  readonly expiresAt: Timestamp;
}

/** What is kept of a session until it expires or is cleared. It is no memory: nothing of it is in the ledger. */
export interface Pad {
  /** The number of the last entry ever appended. */
  readonly last: number;
  readonly entries: readonly ScratchEntry[];
}

export const EMPTY_PAD: Pad = { last: 0, entries: [] };
export const DEFAULT_TTL = 3_600_000;
export const LONGEST_TTL = 30 * 86_400_000;
const LONGEST_KEY = 256;
const LARGEST_VALUE = 65_536;
const LARGEST_PAD = 1_048_576;

export interface NewScratch {
  readonly key: string;
  readonly value: Json;
  readonly tool?: string | undefined;
  /** Milliseconds to live; an hour unless given. */
  readonly ttl?: number | undefined;
}

/** A pad with one more entry; what had expired is gone from it. */
export function append(pad: Pad, { key, value, tool, ttl = DEFAULT_TTL }: NewScratch, now: number): Pad {
  checkLine(key, "key");
  if (tool !== undefined) checkLine(tool, "tool");
  if (!(typeof ttl === "number" && ttl > 0 && ttl <= LONGEST_TTL))
    throw invalid("The ttl of an entry is a number of milliseconds up to thirty days.");
  if (value === undefined || JSON.stringify(value).length > LARGEST_VALUE)
    throw invalid(`The value of an entry has at most ${LARGEST_VALUE} characters.`);
  const kept = withoutExpired(pad, now);
  const entry: ScratchEntry = {
    seq: pad.last + 1,
    key,
    value,
    ...(tool !== undefined && { tool }),
    time: timestamp(now),
    expiresAt: timestamp(now + ttl),
  };
  const next = { last: entry.seq, entries: [...kept.entries, entry] };
  if (JSON.stringify(next).length > LARGEST_PAD)
    throw new PalimpsestError("REFUSED", "The scratchpad of this session is full.", {
      hint: "Entries go when they expire; clear it, or promote what matters first.",
    });
  return next;
}

/** An entry that seems to come from the future was written before the clock was set back: it lives its time from now. */
export function withoutExpired(pad: Pad, now: number): Pad {
  const entries = pad.entries.flatMap((entry) => {
    const [time, end] = [Date.parse(entry.time), Date.parse(entry.expiresAt)];
    if (end <= now) return [];
    if (time <= now + CLOCK_SLACK) return [entry];
    return [{ ...entry, time: timestamp(now), expiresAt: timestamp(now + end - time) }];
  });
  const isSame =
    entries.every((entry, at) => entry === pad.entries[at]) && entries.length === pad.entries.length;
  return isSame ? pad : { ...pad, entries };
}

/** Clocks of two processes differ a little. */
const CLOCK_SLACK = 60_000;

/** When the first of the entries expires; undefined when there are none. */
export const nextExpiry = ({ entries }: Pad): number | undefined =>
  entries.length === 0 ? undefined : Math.min(...entries.map(({ expiresAt }) => Date.parse(expiresAt)));

/** The newest entry of every key, in the order in which they were written. */
export function current({ entries }: Pad): ScratchEntry[] {
  const newest = new Map(entries.map((entry) => [entry.key, entry.seq]));
  return entries.filter(({ key, seq }) => newest.get(key) === seq);
}

/** An entry that answers a question, with how well: see `Match`. */
export interface ScratchHit extends ScratchEntry {
  readonly score: number;
  readonly coverage: number;
}

export function searchPad(pad: Pad, question: string, limit: number): ScratchHit[] {
  const entries = current(pad);
  const texts = entries.map(({ key, value, tool, time }) => ({
    title: [key, tool]
      .filter((part) => part !== undefined)
      .join(" ")
      .replace(/[_-]+/g, " "),
    text: scratchText(value),
    time: Date.parse(time),
  }));
  return matchTexts(texts, question, limit).map(({ at, score, coverage }) => ({
    ...(entries[at] as ScratchEntry),
    score,
    coverage,
  }));
}

/** A value as text: its own, or as JSON. */
export const scratchText = (value: Json): string =>
  typeof value === "string" ? value : JSON.stringify(value, undefined, 1);

/** Reads a stored pad. What is not one counts as empty: it is no truth that could be damaged. */
export function readPad(text: string | undefined): Pad {
  if (text === undefined) return EMPTY_PAD;
  try {
    const pad = JSON.parse(text) as Pad;
    return Array.isArray(pad.entries) && Number.isSafeInteger(pad.last) ? pad : EMPTY_PAD;
  } catch {
    return EMPTY_PAD;
  }
}

function checkLine(text: unknown, what: string): void {
  const isLine =
    typeof text === "string" &&
    text.trim() !== "" &&
    text.isWellFormed() &&
    !/[\p{Cc}\u2028\u2029]/u.test(text);
  if (!isLine || text.length > LONGEST_KEY)
    throw invalid(`The ${what} of an entry is one line of at most ${LONGEST_KEY} characters.`);
}

const invalid = (message: string): PalimpsestError => new PalimpsestError("INVALID_FIELD", message);

/**
 * Scratchpads are notes beside the truth: one for each agent and session, and one that says when the first entry of
 * each expires, so that a later call can remove what nobody asks for any more.
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
