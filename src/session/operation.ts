import type { Hash, JsonObject, Timestamp } from "../base/index.js";
import { type Author, type Encoded, encodeObject } from "../ledger/index.js";
import type { RefMove } from "../storage/index.js";

/** Who does what, as commits and the operation log say it. */
export interface CommitInfo {
  readonly verb: string;
  readonly author: Author;
  readonly session?: string | undefined;
  readonly message?: string | undefined;
  readonly meta?: JsonObject | undefined;
}

/** The entry of the operation log for moves of refs that happen together. */
export function encodeOperation(
  info: CommitInfo,
  moves: readonly RefMove[],
  time: Timestamp,
  note?: Hash,
): Encoded<"operation"> {
  return encodeObject("operation", {
    author: info.author,
    ...(note && { note }),
    refs: moves.map(({ name, expect, next }) => ({
      ...(next && { after: next.target }),
      ...(expect && { before: expect }),
      name,
    })),
    ...(info.session !== undefined && { session: info.session }),
    time,
    v: 1,
    verb: info.verb,
  });
}
