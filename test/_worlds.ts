import { expect } from "vitest";
import { verifyProof } from "../src/core/merkle/proof.js";
import {
  type MemoryInput,
  memoryStorage,
  openStore,
  type Session,
  type Storage,
  type Store,
} from "../src/index.js";

/** A store with a clock that ticks by itself and reproducible randomness. */
export async function testStore(
  storage: Storage | string = memoryStorage(),
  start = Date.UTC(2026, 0, 1),
): Promise<{ store: Store; clock: { now: number; seed: number } }> {
  const clock = { now: start, seed: 1 };
  const store = await openStore(storage, {
    clock: () => clock.now++,
    random: (count) =>
      Uint8Array.from({ length: count }, () => {
        clock.seed = (Math.imul(clock.seed, 1103515245) + 12345) & 0x7fffffff;
        return clock.seed >>> 16;
      }),
  });
  return { store, clock };
}

/** Everything a session can be asked about a world, as one value. */
export async function everythingSeen(session: Session, ids: readonly string[]): Promise<unknown> {
  const answers: unknown[] = [];
  const ask = async (question: string, run: () => Promise<unknown>) => {
    try {
      answers.push([question, (await run()) ?? null]);
    } catch (error) {
      const { code, message, hint, data } = error as {
        code?: string;
        message: string;
        hint?: string;
        data?: unknown;
      };
      answers.push([question, { code, message, hint, data }]);
    }
  };
  await ask("list", () => session.list());
  await ask("list TODO", () => session.list({ attributes: { TODO: "OPEN" } }));
  await ask("search", async () => (await session.search("words about topic 1", { limit: 50 })).hits);
  await ask("search filtered", async () => (await session.search("type:note words 3")).hits);
  await ask("view", () => session.view());
  await ask("log", () => session.log({ limit: 1000, events: true }));
  await ask("stats", () => session.stats());
  await ask("graph", () => session.graph({ limit: 1000, events: true }));
  await ask("ops", () => session.ops({ limit: 1000 }));
  await ask("conflicts", () => session.conflicts());
  await ask("snapshots", () => session.snapshots());
  await ask("branches", () => session.branches());
  await ask("consistency", async () => {
    const first = (await session.log({ limit: 1000 })).at(-1);
    return session.proveConsistency(first?.commit ?? "");
  });
  await ask("changes since the first", async () => {
    const first = (await session.log({ limit: 1000 })).at(-1);
    return first && session.diff(first.commit);
  });
  for (const id of ids) {
    await ask(`get ${id}`, () => session.get(id));
    await ask(`history ${id}`, () => session.history(id));
    await ask(`blame ${id}`, () => session.blame(id));
    await ask(`prove ${id}`, () => proven(session, id));
  }
  const [first = ""] = ids;
  await ask(`get by prefix ${first}`, () => session.get(first.slice(0, 6)));
  await ask(`get by suffix ${first}`, () => session.get(first.slice(-6)));
  return answers;
}

/** A proof speaks of all that lies in a scope: that something hidden is absent cannot be proven, and is not. */
async function proven(session: Session, id: string): Promise<unknown> {
  const proof = await session.prove(id).catch((error: { readonly code?: string }) => {
    if (error.code !== "REFUSED") throw error;
  });
  if (proof) expect(verifyProof(proof).ok).toBe(true);
  return proof?.present ? proof : "not shown";
}

/** What reading memory for an agent answers about a world. */
export async function recalled(session: Session): Promise<unknown> {
  const about = "words about memory-one in shared";
  const { trace, ...answer } = await session.recall(about, { mode: "lexical", limit: 50, budget: 900 });
  return [
    trace.map(({ layer, status, best }) => [layer, status, best]),
    ...[
      answer,
      await session.why(about),
      await session.promptContext(),
      await session.promptContext({ query: about, mode: "lexical" }),
      await session.wakeUp({ about: "memory-two" }),
    ].map(shown),
  ];
}

/** Hashes in texts are as opaque as elsewhere. */
const shown = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b/g, "#"));

const isHashes = (item: unknown): boolean =>
  Array.isArray(item) ? item.every(isHashes) : typeof item === "string" && /^[0-9a-f]{64}$/.test(item);

/** Tokens that name states and commits are opaque: they say nothing, but differ between worlds. */
export function withoutTokens(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) => {
      if (["commit", "parents", "root", "head", "path", "state"].includes(key)) return "#";
      if (["op", "before", "after", "links", "from", "to"].includes(key) && isHashes(item)) return "#";
      return item;
    }),
  );
}

export type { MemoryInput };
