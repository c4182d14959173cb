import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { timestamp } from "../../core/base/index.js";
import type { Engine } from "../../repo/index.js";
import { chunksOf, isOfFiles, isThere, unusable, unwritable, writeWhole } from "../../repo/index.js";
import {
  isPostgresUrl,
  NewFile,
  type Storage,
  type StoredObject,
  sqliteStorage,
} from "../../storage/index.js";
import type { BackupFile, BackupReport } from "../backup.js";
import type { BackupOptions, RestoreOptions } from "../options.js";
import type { RestoreReport } from "../restore.js";

export type Backup = BackupReport & { readonly file: string; readonly bytes: number };

/** Writes one file that holds everything; it appears whole or not at all. */
export async function backup(engine: Engine, path: string, options: BackupOptions): Promise<Backup> {
  const file = resolve(path);
  const begun = await NewFile.begin(file, {
    ...(options.overwrite && { over: "anything" }),
    instead: "Choose another name, or say --overwrite.",
  }).catch((error) => {
    throw isOfFiles(error) ? unwritable(file, error) : error;
  });
  const { handle } = begun;
  try {
    await engine.settle();
    const { writeBackup } = await import("../backup.js");
    let bytes = 0;
    const report = await writeBackup(
      engine.storage,
      timestamp(engine.clock()),
      async (text) => {
        bytes += await writeWhole(handle, text, bytes);
      },
      async () => {
        bytes = 0;
        await handle.truncate();
      },
      options.onProgress,
    );
    await begun.finish();
    return { ...report, file, bytes };
  } catch (error) {
    throw isOfFiles(error) ? unwritable(file, error) : error;
  } finally {
    await begun.drop();
  }
}

export async function restore(engine: Engine, path: string, options: RestoreOptions): Promise<RestoreReport> {
  const { restoreStore } = await import("../restore.js");
  const file = resolve(path);
  if (!(await isThere(file))) throw unusable(file, { code: "ENOENT" });
  const tombstones = options.tombstones === undefined ? [] : await readTombstones(options.tombstones);
  const report = await restoreStore(
    engine.storage,
    await openBackup(file),
    tombstones,
    timestamp(engine.clock()),
    options.onProgress,
  );
  engine.forgetHeads();
  await engine.reader.version();
  return report;
}

/** The bytes of a file, and how much of it has been read. It is opened when the first are wanted. */
async function openBackup(file: string): Promise<BackupFile> {
  const { size } = await stat(file);
  let read = 0;
  async function* bytes() {
    for await (const chunk of chunksOf(file)) {
      read += chunk.length;
      yield chunk;
    }
  }
  return { bytes: bytes(), part: () => read / size };
}

async function readTombstones(place: string): Promise<StoredObject[]> {
  const { tombstonesFrom, tombstonesIn } = await import("../backup.js");
  const path = resolve(place);
  if (!isPostgresUrl(place)) {
    if (!(await isThere(path))) throw unusable(path, { code: "ENOENT" });
    if (!(await isThere(join(path, "palimpsest.db")))) return tombstonesFrom(chunksOf(path));
  }
  const storage = isPostgresUrl(place) ? await postgresAt(place) : sqliteStorage(path);
  try {
    return await tombstonesIn(storage);
  } finally {
    await storage.close();
  }
}

async function postgresAt(url: string): Promise<Storage> {
  const { postgresStorage } = await import("../../storage/postgres/index.js");
  return postgresStorage(url);
}
