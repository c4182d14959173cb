import {
  canonical,
  type Hash,
  idKey,
  type MemoryId,
  PalimpsestError,
  parseId,
  quote,
  scopeKey,
} from "../../core/base/index.js";
import { encodeObject, type MemoryRecord, stateLookup, stateProof } from "../../core/ledger/index.js";
import type { Proof } from "../../core/merkle/index.js";
import { scopeOf } from "../../memories/index.js";
import type { At, Context, Key } from "../../repo/index.js";
import { placeOfNamed } from "./history.js";

/**
 * A proof that a memory is, or is not, in the state of a commit, checkable without the store. It reaches the root of the
 * memory's scope; who sees every scope gets the way on to the root of the state, and from whom nothing is hidden to the
 * commit itself. A commit tells how many there were before it, so nobody else is given one.
 */
export async function prove(at: At, given: string, scope?: string): Promise<Proof> {
  const { context, reader, tip } = at;
  const key = (await placeIn(at, given, scope)) ?? {
    scope: scopeOf(context, scope === undefined ? {} : { scope }),
    id: parseId(given) as MemoryId,
  };
  const [scopeHash, idHash] = [scopeKey(key.scope), idKey(key.id)];
  const { root } = tip.commit;
  const proof = await reader.read([tip], (source) => stateProof(root, scopeHash, idHash, source));
  const { record } = await reader.read([tip], (source) => stateLookup(root, scopeHash, idHash, source));
  const memory = record && (await shown(context, key, record));
  const { isEverywhere, isWhole } = context.sight;
  return {
    v: isWhole ? 2 : 1,
    root: proof.scopeRoot,
    scope: key.scope,
    id: key.id,
    present: memory !== undefined,
    ...(memory && { record: record as Hash, memory: canonical(memory) }),
    path: proof.path.map(base64),
    ...(isEverywhere && { state: { root, path: proof.statePath.map(base64) } }),
    ...(isWhole && { commit: encodeObject("commit", tip.commit).text }),
  };
}

/** What is there and may not be shown can be proven neither there nor absent. */
async function shown(context: Context, { id, scope }: Key, record: Hash): Promise<MemoryRecord> {
  const { sight } = context;
  const { reader } = context.engine;
  const memory = await reader.record(record);
  if (!memory) throw new PalimpsestError("ERASED", `What ${quote(id)} was in ${scope} has been erased.`);
  if (sight.sees(memory.scope) && sight.seesRecord(memory)) return memory;
  throw new PalimpsestError(
    "REFUSED",
    `${quote(id)} in ${scope} is held by something out of this session's sight.`,
    {
      hint: "Neither that it is there nor that it is not can be proven here; ask with a higher clearance.",
    },
  );
}

/** Where a memory is, or was: one that was forgotten is proven absent by its own id, whether it is called by that or by its topic. */
async function placeIn(at: At, given: string, scope?: string): Promise<Key | undefined> {
  try {
    return await placeOfNamed(at, given, scope);
  } catch (error) {
    if (error instanceof PalimpsestError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
