import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "../repo/index.js";
import { giveWay, type IndexState, imageState } from "../repo/index.js";
import { EMBEDDED, type EmbeddingNote, readNote } from "../search/index.js";
import type { ObjectKind } from "../storage/index.js";
import type { UsageOptions } from "./options.js";

/** What a store takes on the disk, and how far what is derived from it has come. */
export interface StoreUsage {
  /** Bytes of its files: the store itself, its write-ahead log, images of the index, anything else beside them. */
  readonly files: Readonly<Record<"store" | "log" | "index" | "other", number>>;
  /** What is stored, by kind; read only when asked for, because that reads everything. */
  readonly objects?: Readonly<
    Partial<Record<ObjectKind, { readonly count: number; readonly bytes: number }>>
  >;
  /** none: the next start builds it; behind: the next start brings it up to date. */
  readonly index: IndexState;
  readonly embedding?: EmbeddingNote;
}

export async function usageOf(
  engine: Engine,
  { objects = false, onProgress }: UsageOptions = {},
): Promise<StoreUsage> {
  const { storage } = engine;
  const embedding = readNote(await storage.side(EMBEDDED));
  return {
    files: await filesOf(storage.directory),
    ...(objects && { objects: await objectsOf(engine, onProgress) }),
    index: await imageState(storage),
    ...(embedding && { embedding }),
  };
}

/** Objects between two looks at the clock. */
const EVERY = 256;

async function filesOf(directory: string | undefined): Promise<StoreUsage["files"]> {
  const files = { store: 0, log: 0, index: 0, other: 0 };
  const names = directory === undefined ? [] : await readdir(directory).catch(() => []);
  for (const name of names) {
    const found = await stat(join(directory as string, name)).catch(() => undefined);
    if (!found?.isFile()) continue;
    const kind = /\.db$/.test(name)
      ? "store"
      : /\.db-(?:wal|shm)$/.test(name)
        ? "log"
        : /\.img$/.test(name)
          ? "index"
          : "other";
    files[kind] += found.size;
  }
  return files;
}

async function objectsOf(
  { storage }: Engine,
  onProgress: UsageOptions["onProgress"],
): Promise<NonNullable<StoreUsage["objects"]>> {
  const kinds: Partial<Record<ObjectKind, { count: number; bytes: number }>> = {};
  const { seq: last } = await storage.version();
  let done = 0;
  for await (const { kind, bytes, seq } of storage.scan()) {
    if (++done % EVERY === 0) {
      onProgress?.(done, Math.max(done, Math.round((done * last) / seq)));
      await giveWay();
    }
    const sum = kinds[kind] ?? { count: 0, bytes: 0 };
    kinds[kind] = { count: sum.count + 1, bytes: sum.bytes + bytes.length };
  }
  return kinds;
}
