import type { Hash, Timestamp } from "../../core/base/index.js";
import { type Encoded, encodeObject, type Operation } from "../../core/ledger/index.js";
import type { RefMove } from "../../storage/index.js";
import type { CommitInfo } from "./commit-info.js";

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
