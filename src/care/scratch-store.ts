import { type Storage, sqliteStorage, withScratchFolder } from "../storage/index.js";

/** Lends an empty store, to build in it what only enters another when it is whole. It lies beside that one. */
export const withScratchStore = <T>(beside: Storage, work: (scratch: Storage) => Promise<T>): Promise<T> =>
  withScratchFolder(beside, async (folder) => {
    const scratch = sqliteStorage(folder);
    try {
      return await work(scratch);
    } finally {
      await scratch.close();
    }
  });
