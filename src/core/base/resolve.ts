import { PalimpsestError, quote } from "./errors.js";

const MIN_ID = 6;
const MIN_HASH = 7;
/** Candidates that an error names. */
const LISTED = 20;

/** Finds the id meant by a whole id, a prefix or a suffix. `candidates` are only those the caller may see. */
export function resolveId<T extends string>(part: string, candidates: Iterable<T>): T | undefined {
  return resolve(part, candidates, MIN_ID, (id) => id.startsWith(part) || id.endsWith(part));
}

/** Finds the hash meant by a whole hash or a prefix of it. */
export function resolveHash<T extends string>(part: string, candidates: Iterable<T>): T | undefined {
  return resolve(part, candidates, MIN_HASH, (hash) => hash.startsWith(part));
}

function resolve<T extends string>(
  part: string,
  candidates: Iterable<T>,
  min: number,
  fits: (candidate: T) => boolean,
): T | undefined {
  const found = new Set<T>();
  for (const candidate of candidates) {
    if (candidate === part) return candidate;
    if (part.length >= min && fits(candidate)) found.add(candidate);
  }
  if (found.size > 1)
    throw new PalimpsestError("AMBIGUOUS", `${quote(part)} fits ${found.size} candidates.`, {
      ...(found.size > LISTED && { hint: `Give more characters; the first ${LISTED} are listed.` }),
      data: { candidates: [...found].sort().slice(0, LISTED) },
    });
  return found.values().next().value;
}
