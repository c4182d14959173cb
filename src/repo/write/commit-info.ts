import { isHash, type Json, type JsonObject } from "../../core/base/index.js";
import type { Author } from "../../core/ledger/index.js";
import { HEADS, TAGS } from "../../core/ledger/index.js";
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
