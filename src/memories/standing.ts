import { type Hash, idKey, type MemoryId, type Scope, scopeKey } from "../core/base/index.js";
import { type MemoryRecord, type Tip, type Trust, trustRank } from "../core/ledger/index.js";
import { quarantine, type Refusal } from "../gate/index.js";
import type { AtTip, Context, Reader } from "../repo/index.js";
import { rowAt } from "../repo/index.js";
import { trustOf } from "./provenance.js";

/** Why a session may not take back or away what is there: somebody it is weaker than wrote it. */
export function weakerThanWriter(context: Context, { id, origin }: MemoryRecord): Refusal | undefined {
  return isWeaker(context, origin.trust) ? weaker(context, id, "written", origin.trust) : undefined;
}

/** Why a session may not bring back what is not there: somebody it is weaker than took it away. */
export async function weakerThanForgetter(
  { context, reader, tip }: AtTip,
  scope: Scope,
  id: MemoryId,
): Promise<Refusal | undefined> {
  const trust = await forgotWith(reader, tip, scopeKey(scope), idKey(id));
  return trust && isWeaker(context, trust) ? weaker(context, id, "forgotten", trust) : undefined;
}

async function forgotWith(reader: Reader, tip: Tip, scope: Hash, id: Hash): Promise<Trust | undefined> {
  const row = await rowAt(reader, tip, scope, id, undefined);
  return row && trustOf(row.author);
}

export const isWeaker = ({ trust, rules }: Context, than: Trust): boolean =>
  !rules.off.has("trust") && trustRank(trust) < trustRank(than);

const weaker = ({ trust }: Context, id: MemoryId, deed: string, than: Trust): Refusal => ({
  ...quarantine(
    "WEAKER_WRITER",
    "trust",
    `The memory ${JSON.stringify(id)} was ${deed} with the trust of "${than}", this session has that of "${trust}".`,
    "It waits for somebody of that trust to decide: see `review`.",
  ),
  against: id,
});
