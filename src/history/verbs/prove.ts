import {
  canonical,
  type Hash,
  idKey,
  isHash,
  type MemoryId,
  PalimpsestError,
  parseId,
  quote,
  scopeKey,
  shortHash,
} from "../../core/base/index.js";
import {
  encodeObject,
  type MemoryRecord,
  stateLookup,
  stateProof,
  type Tip,
} from "../../core/ledger/index.js";
import type { ConsistencyProof, Proof } from "../../core/merkle/index.js";
import { MAX_COMMITS, MAX_PROOF_BYTES } from "../../core/merkle/proof.js";
import { scopeOf } from "../../memories/index.js";
import type { At, Context, Key, Reader } from "../../repo/index.js";
import { placeOfNamed } from "./history.js";

/**
 * A proof that a memory is, or is not, in the state of a commit, checkable without the store. It reaches the root of the
 * memory's scope; who sees every scope gets the way on to the root of the state, and from whom nothing is hidden to the
 * commit itself. A commit shows how many there were before it, so nobody else gets one.
 */
export async function prove(at: At, idOrTopic: string, scope?: string): Promise<Proof> {
  const { context, reader, tip } = at;
  const key = (await placeIn(at, idOrTopic, scope)) ?? {
    scope: scopeOf(context, scope === undefined ? {} : { scope }),
    id: parseId(idOrTopic) as MemoryId,
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
async function placeIn(at: At, idOrTopic: string, scope?: string): Promise<Key | undefined> {
  try {
    return await placeOfNamed(at, idOrTopic, scope);
  } catch (error) {
    if (error instanceof PalimpsestError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/**
 * The head that was kept, checked before anything is looked up. A way through history shows every commit on it, seen or
 * not, and how many there are: so only sessions from which nothing is hidden may do it, and the refusal shows nothing.
 */
export function keptHead({ sight }: Context, old: string): Hash {
  if (!sight.isWhole)
    throw new PalimpsestError("REFUSED", "A proof of consistency shows every commit on its way.", {
      hint: "It takes a session that sees everything: `pal --scopes '*' --clearance confidential prove --consistency`.",
    });
  if (isHash(old)) return old;
  throw new PalimpsestError("INVALID_HASH", `Not a whole commit: ${quote(old)}.`, { hint: WHOLE });
}

const WHOLE =
  "Give all 64 hexadecimal digits: the beginning of a hash can be met by trying. `pal verify` prints the commit to keep.";

/** The shortest way from a head down to the one that was kept. */
export async function proveConsistency(reader: Reader, tip: Tip, old: Hash): Promise<ConsistencyProof> {
  const way = await wayDown(reader, tip, old);
  const commits = way.map(({ commit }) => encodeObject("commit", commit).text);
  const proof: ConsistencyProof = { v: 1, kind: "consistency", old, new: tip.hash, commits };
  const steps = way.length - 1;
  // Half of what is read leaves room for a proof that is indented or escaped on its way.
  if (steps <= MAX_COMMITS && JSON.stringify(proof).length <= MAX_PROOF_BYTES / 2) return proof;
  const between = way[steps - Math.min(MAX_COMMITS, Math.floor(steps / 2))] as Tip;
  throw new PalimpsestError("REFUSED", `${steps} commits are too many for one proof.`, {
    hint: `Prove it in stages: from ${old} to ${between.hash}, and from there on.`,
    data: { between: between.hash },
  });
}

/** From the head to the kept commit, both included. A generation shows where looking further is in vain. */
async function wayDown(reader: Reader, tip: Tip, old: Hash): Promise<Tip[]> {
  const kept = reader.known("commit", old) ?? (await reader.values("commit", [old])).get(old);
  if (!kept) throw apart(tip, old);
  /** Which commit each one was met from. */
  const above = new Map<Hash, Tip | undefined>([[tip.hash, undefined]]);
  for (let level = [tip]; level.length > 0; ) {
    const below: Tip[] = [];
    for (const at of level) {
      if (at.hash === old) return lineTo(at, above);
      if (at.commit.generation <= kept.generation) continue;
      for (const parent of at.commit.parents) {
        if (above.has(parent)) continue;
        above.set(parent, at);
        below.push(await reader.tip(parent));
      }
    }
    level = below;
  }
  throw apart(tip, old, kept.generation > tip.commit.generation);
}

function lineTo(end: Tip, above: ReadonlyMap<Hash, Tip | undefined>): Tip[] {
  const line: Tip[] = [];
  for (let at: Tip | undefined = end; at; at = above.get(at.hash)) line.push(at);
  return line.reverse();
}

const apart = (tip: Tip, old: Hash, isLater = false): PalimpsestError =>
  new PalimpsestError("NOT_IN_HISTORY", `${shortHash(tip.hash)} does not rest on ${shortHash(old)}.`, {
    ...(isLater && { hint: "What was given first has more commits before it: the older head comes first." }),
  });
