import { hashCanonical, idKey, type MemoryId, type Scope, scopeKey } from "../../core/base/index.js";
import type { Storage } from "../../storage/index.js";
import type { Caller } from "../caller.js";

/** How often a memory proved useful, and who said so last. Beside the ledger, because it is not part of what is believed. */
export interface Uses {
  readonly count: number;
  readonly last?: string;
  /** Who strengthened it in which session, as far back as is kept. */
  readonly by: readonly string[];
}

/** A memory proved useful to a voice. */
export interface Use {
  readonly scope: Scope;
  readonly id: MemoryId;
  readonly voice: string;
}

const KEPT = 100;
const NONE: Uses = { count: 0, by: [] };
/** The note that counts them. */
export const useKey = (scope: Scope, id: MemoryId): string =>
  `mind/use/${hashCanonical("content", scopeKey(scope) + idKey(id)).slice(0, 32)}`;

/** One voice: an actor in one session. */
export const voiceOf = ({ author, sessionId }: Caller): string =>
  hashCanonical("content", JSON.stringify([author.kind, author.id, sessionId ?? ""])).slice(0, 16);

export async function usesOf(storage: Storage, scope: Scope, id: MemoryId): Promise<Uses> {
  return parsed(await storage.side(useKey(scope, id)));
}

/** Counts a use. A note that is lost in a race of processes is tried again; in a store that is not there, nothing is. */
export async function countUse(storage: Storage, { scope, id, voice }: Use, now: string): Promise<void> {
  const key = useKey(scope, id);
  for (let tried = 0; tried < 20; tried++) {
    const note = await storage.side(key);
    const before = parsed(note);
    const by = [...before.by.filter((one) => one !== voice), voice].slice(-KEPT);
    const after: Uses = { count: before.count + 1, last: now, by };
    if (await storage.setSide(key, JSON.stringify(after), note ?? null)) return;
  }
}

function parsed(note: string | undefined): Uses {
  try {
    return note === undefined ? NONE : { ...NONE, ...(JSON.parse(note) as Partial<Uses>) };
  } catch {
    return NONE;
  }
}
