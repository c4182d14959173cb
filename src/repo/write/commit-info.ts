import { type Hash, isHash, type Json, type JsonObject, type Timestamp } from "../../core/base/index.js";
import {
  type Author,
  type Encoded,
  encodeObject,
  HEADS,
  type Operation,
  TAGS,
} from "../../core/ledger/index.js";
import { assertNameHoldsNothing, cleanJson, cleanText, type Modes } from "../../gate/index.js";
import type { RefMove } from "../../storage/index.js";
import type { Caller } from "../caller.js";

declare const cleaned: unique symbol;

/**
 * Who does what, as commits and the operation log say it for ever. Only `commitInfo` makes one, so that nothing is said
 * there which must not be kept.
 */
export interface CommitInfo {
  readonly verb: string;
  readonly author: Author;
  readonly session: string | undefined;
  readonly message: string | undefined;
  readonly meta: JsonObject | undefined;
  readonly [cleaned]: true;
}

export interface Said {
  readonly message?: string | undefined;
  readonly meta?: JsonObject | undefined;
}

/**
 * The one maker of what commits and operations say: words lose what must not be kept, names that hold it are refused.
 * `own` is what Palimpsest adds itself: hashes and names of what was let in before, which must stay as they are.
 */
export function commitInfo(
  { author, sessionId, rules }: Caller,
  verb: string,
  { message, meta }: Said = {},
  own?: JsonObject,
): CommitInfo {
  const modes = rules.modes.message;
  assertNameHoldsNothing("agent", author.id, modes);
  if (sessionId !== undefined) assertNameHoldsNothing("session", sessionId, modes);
  return {
    verb,
    author,
    session: sessionId,
    message: message === undefined ? undefined : cleanText(message, modes),
    meta: meta === undefined ? own : { ...cleanJson(meta, modes), ...own },
  } as CommitInfo;
}

/**
 * What is said of refs, likewise: new names of branches and tags, and labels of snapshots, are refused; purposes and all
 * other words are cut. What comes back with an undo had its name before.
 */
export function cleanMoves(
  { rules }: Caller,
  { verb }: CommitInfo,
  moves: readonly RefMove[],
): readonly RefMove[] {
  const modes = rules.modes.message;
  return moves.map((move) => {
    const { name, expect, next } = move;
    if (!next) return move;
    if (expect === null && verb !== "undo") {
      if (name.startsWith(HEADS)) assertNameHoldsNothing("branch", name.slice(HEADS.length), modes);
      if (name.startsWith(TAGS)) assertNameHoldsNothing("tag", name.slice(TAGS.length), modes);
      if (typeof next.meta?.label === "string") assertNameHoldsNothing("label", next.meta.label, modes);
    }
    return next.meta ? { ...move, next: { ...next, meta: saidOf(next.meta, modes) } } : move;
  });
}

/** Hashes have digits in a row by chance, and say nothing. */
const saidOf = (meta: JsonObject, modes: Modes): JsonObject =>
  Object.fromEntries(
    Object.entries(meta).map(([key, value]) => [
      key,
      typeof value === "string" && !isHash(value) ? cleanText(value, modes) : (value as Json),
    ]),
  );

/** The entry of the operation log for moves of refs that happen together. */
export function encodeOperation(
  info: CommitInfo,
  moves: readonly RefMove[],
  time: Timestamp,
  note?: Hash,
): Encoded<"operation"> {
  const { author, session, verb } = info;
  const refs = moves.map(refOf);
  if (note === undefined && session === undefined)
    return encodeObject("operation", { author, refs, time, v: 1, verb });
  return encodeObject("operation", {
    author,
    ...(note && { note }),
    refs,
    ...(session !== undefined && { session }),
    time,
    v: 1,
    verb,
  });
}

/** Without spreading, which costs more than all the rest: every write makes one. */
function refOf({ name, expect, next }: RefMove): Operation["refs"][number] {
  if (next && expect) return { after: next.target, before: expect, name };
  if (next) return { after: next.target, name };
  return expect ? { before: expect, name } : { name };
}
