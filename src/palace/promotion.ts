import { PalimpsestError } from "../core/base/index.js";
import { type Refusal, refuse } from "../gate/index.js";
import type { Place } from "../memories/index.js";
import { matchTexts } from "./mirror.js";

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

/** What kind of raw output a text is, in words; undefined for what a person would say. */
function rawOutput(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return KINDS.find(([, isIt]) => isIt(text.trim(), lines))?.[0];
}

type Test = (text: string, lines: readonly string[]) => boolean;

const KINDS: readonly (readonly [string, Test])[] = [
  ["a stack trace", (text, lines) => lines.some((line) => TRACE.test(line)) || PANIC.test(text)],
  ["a dump of JSON", (text) => isJson(text) || keys(text) >= 3],
  ["markup", (text) => /^<[!?a-z]/i.test(text) || (text.match(/<\/[a-z][\w-]*>/gi)?.length ?? 0) >= 3],
  ["a diff", (_, lines) => lines.some((line) => /^(?:@@ -\d+|diff --git |\+\+\+ |--- [ab]\/)/.test(line))],
  ["a log", (_, lines) => most(lines, LOG)],
  [
    "code",
    (text, lines) =>
      /^[^\S\r\n\u2028\u2029]*(?:```|~~~)/m.test(text) || (lines.length >= 2 && most(lines, CODE)),
  ],
  [
    "the output of a shell",
    (_, lines) => lines.some((line) => /^\s*(?:\$|PS [A-Z]:\\.*>|[\w.-]+@[\w.-]+:.*[$#]) /.test(line)),
  ],
  ["encoded data", (text) => /[A-Za-z0-9+/=_-]{80,}/.test(text)],
];

const TRACE =
  /^\s+at \S.*[(:][^\s(:]*:\d+|^\s*File ".*", line \d+|^Traceback \(most recent call last\)|^Caused by: [\w.]+|^Exception in thread|^goroutine \d+ \[|^thread '.*' panicked at|^\s*\d+: 0x[0-9a-f]+ - /;
const PANIC = /^panic: .*\n\n?goroutine/m;
const LOG =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d[.,\]]|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\]?[ :]|\d{1,3}(?:\.\d{1,3}){3} - |(?:level|time|ts)=\S+ )/;
const CODE =
  /[;{}]\s*$|^\s*(?:import |from \S+ import|export |const |let |var |def |class |function |return\b|#include|public |private |func |fn |package |using |if ?\(|for ?\(|while ?\(|else\b|try:|except|@\w+|SELECT .* FROM|INSERT INTO)/;

/** A single line that looks so, or half of several. */
const most = (lines: readonly string[], pattern: RegExp): boolean =>
  lines.length > 0 && lines.filter((line) => pattern.test(line)).length * 2 >= lines.length;

const keys = (text: string): number => text.match(/"[^"\n]{1,60}"\s*:/g)?.length ?? 0;

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return keys(text) >= 2;
  }
}
