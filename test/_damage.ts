import { PalimpsestError } from "../src/core/base/errors.js";
import type { Hash } from "../src/core/base/hash.js";
import { decodeObject, encodeObject, type Kinds } from "../src/core/ledger/objects.js";
import { foldEvents } from "../src/core/ledger/state.js";
import type { Changeset, Commit, LedgerEvent, Operation, Touch } from "../src/core/ledger/types.js";
import { EMPTY_ROOT } from "../src/core/merkle/node.js";
import { isNeed } from "../src/core/merkle/walk.js";
import { openStore, type Session, type Storage, type Store } from "../src/session/index.js";
import { memoryStorage, type Ref, type StoredObject } from "../src/storage/index.js";

/** A small generator with a seed, so that a failure can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** A store that is the same in every run: clock and randomness come from a seed. */
export async function openSeeded(storage: Storage | string, seed = 7): Promise<Store> {
  const random = seeded(seed);
  let now = Date.parse("2026-03-01T12:00:00Z");
  return openStore(storage, {
    clock: () => (now += 1000),
    random: (count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)),
  });
}

export const everything = (store: Store): Session =>
  store.session({
    agent: "orion",
    scopes: ["*"],
    clearance: "confidential",
    trust: "operator",
    sessionId: "s1",
  });

/** Some of everything: adds, updates, forgets, observations, topics, trees, scopes, sensitivities, notes. */
export async function writeSome(pal: Session, leaf = "Leaf one"): Promise<void> {
  await pal.remember("Prefers Python for backend work", { topic: "backend-language", message: "first" });
  await pal.remember({ id: "tree", type: "note", text: "A tree", attributes: { TITLE: "Tree" } });
  await pal.remember({ id: "leaf-1", type: "note", text: leaf, parent: "tree", tags: ["b", "a"] });
  await pal.remember({ id: "leaf-2", type: "note", text: "Leaf two", parent: "tree" });
  await pal.remember("Prefers Rust for backend work", { topic: "backend-language" });
  await pal.remember({
    id: "diary",
    text: "Likes quiet mornings",
    scope: "agent/orion",
    sensitivity: "private",
  });
  await pal.observe("The build takes four minutes", { evidence: "ci log" });
  await pal.observe("The build takes four minutes");
  await pal.update(
    "leaf-2",
    { text: "Leaf two, renamed", attributes: { TODO: "DONE" } },
    { message: "rename" },
  );
  await pal.remember({
    id: "key",
    text: "The door code is on the fridge",
    scope: "user/7",
    sensitivity: "confidential",
  });
  await pal.transaction(async (tx) => {
    await tx.remember({ id: "twice", text: "Said once" });
    await tx.update("twice", "Said twice");
    await tx.remember({ id: "brief", text: "Here for a moment" });
    await tx.forget("brief");
  });
  await pal.forget("tree", { reason: "The tree fell." });
  await pal.remember({ id: "diary", text: "Likes quiet evenings", scope: "agent/orion" });
  await pal.forget("diary", { scope: "agent/orion" });
  await pal.remember({ id: "diary", text: "Likes long walks", scope: "agent/orion" });
  await pal.remember({ id: "last", text: "The last word" });
}

/** Everything a store holds, as values that can be changed and loaded again. */
export interface Dump {
  objects: StoredObject[];
  refs: Map<string, Ref>;
  touch: Touch[];
  ops: Hash[];
}

export async function dump(storage: Storage): Promise<Dump> {
  const objects: StoredObject[] = [];
  for await (const { hash, kind, bytes } of storage.scan()) objects.push({ hash, kind, bytes });
  const { touch } = await storage.touchSince(0);
  const { ops } = await storage.opsBefore(Number.MAX_SAFE_INTEGER);
  return { objects, refs: await storage.refs(""), touch, ops: ops.toReversed() };
}

/** With the nodes of every state that ever was, as a store has them between two rounds of thinning. */
export function withNodes(from: Dump): Dump {
  const nodes = new Map<Hash, Uint8Array>();
  for (const { commit } of commitsOf(from)) {
    const parent = commit.parents[0];
    const start = parent === undefined ? EMPTY_ROOT : readValue(from, "commit", parent).root;
    const { events } = readValue(from, "changeset", commit.changeset);
    const folded = foldEvents(start, events, (hash) => nodes.get(hash));
    if (isNeed(folded)) throw new Error("commits are in order, so every node is there");
    for (const [hash, bytes] of folded.nodes) nodes.set(hash, bytes);
  }
  const objects = from.objects.filter(({ kind }) => kind !== "node");
  for (const [hash, bytes] of nodes) objects.push({ kind: "node", hash, bytes });
  return { ...from, objects };
}

/** A store of exactly these things, whether they fit together or not. */
export async function load({ objects, refs, touch, ops }: Dump): Promise<Storage> {
  const storage = memoryStorage();
  const moves = [...refs].map(([name, next]) => ({ name, expect: null, next }));
  await storage.transact({ put: objects, refs: moves, touch, ops, epoch: 0 });
  return storage;
}

/** A storage whose objects come back changed, or not at all (null). */
export function changed(storage: Storage, changes: ReadonlyMap<Hash, Uint8Array | null>): Storage {
  const bytesOf = (hash: Hash, bytes: Uint8Array) => {
    const change = changes.get(hash);
    return change === undefined ? bytes : (change ?? undefined);
  };
  const overlay: Partial<Storage> = {
    get: async (hash) => {
      const bytes = await storage.get(hash);
      return bytes && bytesOf(hash, bytes);
    },
    getMany: async (hashes) => {
      const found = new Map<Hash, Uint8Array>();
      for (const [hash, bytes] of await storage.getMany(hashes)) {
        const shown = bytesOf(hash, bytes);
        if (shown) found.set(hash, shown);
      }
      return found;
    },
    missing: async (hashes) => [
      ...(await storage.missing(hashes)),
      ...hashes.filter((hash) => changes.get(hash) === null),
    ],
    async *scan(options) {
      for await (const object of storage.scan(options)) {
        const bytes = bytesOf(object.hash, object.bytes);
        if (bytes) yield { ...object, bytes };
      }
    },
    objectsIn: async (range, kinds) =>
      (await storage.objectsIn(range, kinds)).flatMap((object) => {
        const bytes = bytesOf(object.hash, object.bytes);
        return bytes ? [{ ...object, bytes }] : [];
      }),
  };
  return new Proxy(storage, {
    get: (target, name) => {
      const value = overlay[name as keyof Storage] ?? target[name as keyof Storage];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export const flipped = (bytes: Uint8Array, at: number, bit: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] as number) ^ (1 << bit);
  return copy;
};

export const readValue = <K extends keyof Kinds>(from: Dump, kind: K, hash: Hash): Kinds[K] =>
  decodeObject(kind, (from.objects.find((object) => object.hash === hash) as StoredObject).bytes);

/** Commits of a dump, oldest first. */
export function commitsOf(from: Dump): { hash: Hash; commit: Commit }[] {
  return from.objects
    .filter(({ kind }) => kind === "commit")
    .map(({ hash, bytes }) => ({ hash, commit: decodeObject("commit", bytes) }))
    .sort((a, b) => a.commit.generation - b.commit.generation);
}

/**
 * Rewrites a history as somebody would who can write the file: commits are changed and everything after them is
 * hashed and linked again, refs, operation log and touch rows included.
 */
export function forge(
  from: Dump,
  edit: (commit: Commit, at: number, put: (events: LedgerEvent[]) => Hash) => Commit,
): Dump {
  const objects = from.objects.filter(({ kind }) => kind !== "commit" && kind !== "operation");
  const names = new Map<Hash, Hash>();
  const rename = <T extends Hash | undefined>(hash: T): T => (hash && (names.get(hash) ?? hash)) as T;
  const put = (events: LedgerEvent[]): Hash => {
    const changeset = encodeObject("changeset", { events } as Changeset);
    objects.push(changeset);
    return changeset.hash;
  };
  const made = new Map<Hash, Commit>();
  for (const [at, { hash, commit }] of commitsOf(from).entries()) {
    const parents = commit.parents.map(rename);
    const encoded = encodeObject("commit", edit({ ...commit, parents }, at, put));
    names.set(hash, encoded.hash);
    made.set(encoded.hash, decodeObject("commit", encoded.bytes));
    objects.push(encoded);
  }
  const ops = from.ops.map((hash) => {
    const operation = readValue(from, "operation", hash);
    const refs = operation.refs.map(({ name, before, after }) => ({
      name,
      ...(before && { before: rename(before) }),
      ...(after && { after: rename(after) }),
    }));
    const encoded = encodeObject("operation", { ...operation, refs } as Operation);
    objects.push(encoded);
    return encoded.hash;
  });
  return {
    objects,
    ops,
    refs: new Map([...from.refs].map(([name, ref]) => [name, { ...ref, target: rename(ref.target) }])),
    touch: from.touch.map((row) => {
      const commit = rename(row.commit);
      const { generation, time, author } = made.get(commit) as Commit;
      return { ...row, commit, generation, time, author };
    }),
  };
}

/** Everything a session can be asked, as plain values by name. */
export async function answers(pal: Session, ids: readonly string[]): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const ask = async (name: string, read: () => Promise<unknown>) => {
    try {
      found.set(name, structuredClone(await read()));
    } catch (error) {
      found.set(name, error);
    }
  };
  await ask("list", () => pal.list());
  for (const id of ids) {
    await ask(`get ${id}`, () => pal.get(id));
    await ask(`history ${id}`, () => pal.history(id));
  }
  await ask("log", () => pal.log({ events: true, limit: 1000 }));
  return found;
}

/** What a memory says, without what is derived from its neighbours. */
const said = (memory: unknown) => {
  const { children: _, merkle: __, ...own } = memory as Record<string, unknown>;
  return JSON.stringify(own);
};

/**
 * The answer is right, or a typed error, or lacks something while the store says that something is damaged.
 * `knownBad`: verify has reported the damage, so leaving something out is honest without a word.
 */
export function isHonest(
  name: string,
  answer: unknown,
  expected: unknown,
  damaged: readonly Hash[],
  knownBad = false,
): boolean {
  if (JSON.stringify(answer) === JSON.stringify(expected)) return true;
  const told = knownBad || damaged.length > 0;
  if (answer instanceof PalimpsestError) return told || answer.code === "DAMAGED";
  if (answer instanceof Error || !told) return false;
  if (answer === undefined) return true;
  if (name === "list") {
    const all = new Set((expected as unknown[]).map(said));
    return (answer as unknown[]).every((memory) => all.has(said(memory)));
  }
  if (name.startsWith("get")) return said(answer) === said(expected);
  return isPartOf(answer, expected);
}

/** The number of rows that can be read, which damage changes. */
const UNCERTAIN = new Set(["changes"]);

/** Nothing in it that the other does not say: items of lists may be missing, as may fields, or be empty. */
function isPartOf(part: unknown, all: unknown): boolean {
  if (part === all || part === "" || part === undefined) return true;
  if (Array.isArray(part))
    return part.every((item) => (all as unknown[])?.some((other) => isPartOf(item, other)));
  if (typeof part !== "object" || part === null || typeof all !== "object" || all === null) return false;
  return Object.entries(part).every(
    ([key, value]) => UNCERTAIN.has(key) || isPartOf(value, (all as Record<string, unknown>)[key]),
  );
}
