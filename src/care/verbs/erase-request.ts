import { type JsonObject, PalimpsestError } from "../../core/base/index.js";
import { trustRank } from "../../core/ledger/index.js";
import { refOfStaged, requireStaged } from "../../memories/index.js";
import type { Context } from "../../repo/index.js";
import { moveRefs } from "../../repo/index.js";
import type { AcceptedItem, ProposeOptions } from "../../review/index.js";
import { ERASE, requestIn } from "../../review/index.js";
import type { EraseOptions } from "../options.js";
import type { EraseReport } from "./erase.js";

/** What was accepted, and what became of it. */
export interface Accepted extends AcceptedItem {
  /** Of a request to erase: what went. */
  readonly erased?: EraseReport;
}

/** May this session erase, or only ask for it? */
export const mayErase = ({ trust }: Pick<Context, "trust">): boolean => trustRank(trust) >= trustRank("user");

/** A request names memories and never what they say: it would be one more copy of it. */
export function eraseRequest({ memories }: EraseReport, { derived }: EraseOptions): ProposeOptions {
  return {
    data: {
      memories: memories.map(({ scope, id }) => ({ scope, id })),
      ...(derived && { derived }),
    } as JsonObject,
    about: memories.map(({ id }) => id),
  };
}

/** Carries out a request to erase; undefined when what waits is something else. */
export async function acceptErasure(
  context: Context,
  given: string,
  erase: (wanted: EraseOptions) => Promise<EraseReport>,
): Promise<Accepted | undefined> {
  const { engine } = context;
  const item = await requireStaged(context, given);
  const wanted = item.kind === ERASE ? requestIn(item.note) : undefined;
  if (!wanted) return undefined;
  if (!mayErase(context))
    throw new PalimpsestError("REFUSED", "Only a user or an operator can accept an erasure.", {
      hint: `A person says \`pal review accept ${item.id}\` at a terminal, or anywhere \`pal --operator review accept ${item.id}\`.`,
    });
  const erased = await erase(wanted);
  const name = refOfStaged(item);
  // It speaks of what went and so went with it, unless all of that was gone before.
  await moveRefs(context, "accept", async () => {
    const left = await engine.storage.ref(name);
    return { moves: left ? [{ name, expect: left.target, next: null }] : [], value: undefined };
  });
  return { id: item.id, kind: item.kind, accepted: true, verdicts: [], conflicts: [], erased };
}
