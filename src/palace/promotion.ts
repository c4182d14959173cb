import { PalimpsestError } from "../core/base/index.js";
import { type Refusal, refuse } from "../gate/index.js";
import type { Place } from "../memories/index.js";
import { matchTexts } from "./matching.js";
import { rawOutput } from "./raw-output.js";

/** Moves something from the scratchpad of a session into the palace, in words of its own and for a reason. */
export interface Promotion {
  /** Whose scratchpad; that of this session unless given. */
  readonly session?: string | undefined;
  readonly key: string;
  /** Where it goes; by what it is about unless given. */
  readonly room?: string | undefined;
  readonly drawer?: string | undefined;
  /** What is worth remembering, in 5 to 500 words. What a tool put out is not. */
  readonly summary: string;
  /** Why it is worth remembering. */
  readonly reason: string;
  readonly confidence?: number | undefined;
}

const FEWEST = 5;
const MOST = 500;
/** An entry of more than a week is looked at by somebody before it is believed. */
export const STALE_MS = 7 * 86_400_000;

/** What every promotion has to say. */
export function checkPromotion({ key, summary, reason, session, room, drawer }: Promotion): void {
  for (const [name, value] of Object.entries({ key, summary, reason }))
    if (typeof value !== "string" || value.trim() === "")
      throw new PalimpsestError("INVALID_FIELD", `A promotion needs a ${name}.`, {
        hint: "Say what is worth remembering (summary) and why (reason).",
      });
  for (const [name, value] of Object.entries({ session, room, drawer }))
    if (value !== undefined && typeof value !== "string")
      throw new PalimpsestError("INVALID_FIELD", `The ${name} of a promotion is named by text.`, {
        hint: "Give it so, or leave it out.",
      });
}

/** Why a summary is none; undefined when it may be one. */
export function refuseSummary(summary: string): Refusal | undefined {
  const raw = rawOutput(summary);
  if (raw !== undefined)
    return refuse(
      "RAW_OUTPUT",
      "promotion",
      `This is ${raw} and no summary.`,
      "Say in sentences what it means.",
    );
  const count = wordCount(summary);
  if (count < FEWEST)
    return refuse(
      "TOO_SHORT",
      "promotion",
      `A summary has at least ${FEWEST} words; this has ${count}.`,
      "Say who, what and why.",
    );
  if (count > MOST)
    return refuse(
      "TOO_LONG",
      "promotion",
      `A summary has at most ${MOST} words; this has ${count}.`,
      "Say only what will matter later.",
    );
  return undefined;
}

// Made when first needed: making it reads dictionaries, which would slow every start.
let segmenter: Intl.Segmenter | undefined;
export function wordCount(text: string): number {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}

/** A drawer as routing sees it. */
export interface Route {
  readonly place: Required<Place>;
  /** What it says of itself, and some of what lies in it. */
  readonly text: string;
}

/** Where nothing else fits. */
export const UNSORTED: Required<Place> = { room: "inbox", drawer: "unsorted" };

/** The drawer that speaks of the same things, within the room if one is named. */
export function routeByTopic(routes: readonly Route[], about: string, room?: string): Required<Place> {
  const texts = routes.map(({ place, text }) => ({
    title: `${place.room} ${place.drawer}`.replace(/[_-]+/g, " "),
    text,
  }));
  const [best] = matchTexts(texts, about, 1);
  if (best) return (routes[best.at] as Route).place;
  return room === undefined ? UNSORTED : { room, drawer: UNSORTED.drawer };
}
