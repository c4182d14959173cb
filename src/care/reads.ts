import { type Hash, type HashKind, hashBytes, PalimpsestError } from "../core/base/index.js";
import type { Ref, Storage } from "../storage/index.js";
import { isEnd } from "./pace.js";
import type { Findings, ProblemName } from "./problems.js";

/** Who closes the store or keeps it locked has done no damage to it. */
const NO_DAMAGE = new Set<string>(["CLOSED", "STORE_BUSY"]);

/** Runs a read; when storage fails in it, that is a finding and the answer is undefined. */
export async function attempt<T>(
  findings: Findings,
  problem: ProblemName,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isEnd(error) || (error instanceof PalimpsestError && NO_DAMAGE.has(error.code))) throw error;
    findings.add(problem, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Fetches objects and hashes them. Those that are absent, damaged or unreadable are not in the answer. */
export async function fetchWhole(
  storage: Storage,
  kind: HashKind,
  hashes: readonly Hash[],
): Promise<Map<Hash, Uint8Array>> {
  const found = await getMany(storage, hashes);
  for (const [hash, bytes] of found) if (hashBytes(kind, bytes) !== hash) found.delete(hash);
  return found;
}

async function getMany(storage: Storage, hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> {
  try {
    return await storage.getMany(hashes);
  } catch (error) {
    if (error instanceof PalimpsestError && NO_DAMAGE.has(error.code)) throw error;
    // One that cannot be read must not hide the others.
    const halves = [hashes.slice(0, hashes.length >> 1), hashes.slice(hashes.length >> 1)];
    if (hashes.length < 2) return new Map();
    return new Map((await Promise.all(halves.map((half) => getMany(storage, half)))).flatMap((m) => [...m]));
  }
}

export interface Snapshot {
  readonly seq: number;
  readonly epoch: number;
  /** Undefined when they could not be read whole. */
  readonly refs: ReadonlyMap<string, Ref> | undefined;
}

/** The refs and the version they belong to. Everything else is append-only, so it can be read up to that version. */
export async function readSnapshot(storage: Storage, findings: Findings): Promise<Snapshot> {
  for (;;) {
    const { seq, epoch } = await storage.version();
    const refs = await attempt(findings, "refs-unreadable", () => storage.refs(""));
    if ((await storage.version()).seq === seq) return { seq, epoch, refs };
  }
}
