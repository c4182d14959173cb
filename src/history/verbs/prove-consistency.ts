import { type Hash, isHash, PalimpsestError, quote, shortHash } from "../../core/base/index.js";
import { encodeObject, type Tip } from "../../core/ledger/index.js";
import type { ConsistencyProof } from "../../core/merkle/index.js";
import { MAX_COMMITS, MAX_PROOF_BYTES } from "../../core/merkle/proof.js";
import type { Context, Reader } from "../../repo/index.js";

/**
 * The head that was kept, checked before anything is looked up. A way through history shows every commit on it, seen or
 * not, and how many there are: so it is for those alone from whom nothing is hidden, and the refusal tells of nothing.
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

/** From the head to the kept commit, both included. A generation tells where looking further is in vain. */
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
