import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a directory and those above it that are missing, one by one, and answers the topmost it made. Node's own way goes
 * round for ever where a file system says ENOENT though the directory above is there, as /proc does.
 */
export async function makeDirectory(path: string, mode?: number): Promise<string | undefined> {
  const place = resolve(path);
  try {
    await mkdir(place, mode);
    return place;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(place);
    if (code === "ENOENT" && above !== place && !(await isDirectory(above))) {
      const topmost = await makeDirectory(above, mode);
      const made = await makeDirectory(place, mode);
      return topmost ?? made;
    }
    // Some systems say EPERM or EROFS of a directory that is there.
    if (await isDirectory(place)) return undefined;
    throw error;
  }
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
