import { mkdirSync, type Stats, statSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/** Node has it from 22.1 on. */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };

/** Has Node keep the code that it compiles from here on. False where it cannot: then a hook keeps its own. */
export function keepsCompiledCode(): boolean {
  if (!enableCompileCache) return false;
  try {
    enableCompileCache(codeFolder());
  } catch {
    // Without a safe place the modules are compiled as ever.
  }
  return true;
}

/**
 * Where compiled code is kept; made if it is not there. Step by step: where nothing can be made, as in /proc, Node's own way
 * to make several at once never ends. A folder that somebody else could put files into is none.
 */
export function codeFolder(): string {
  const folder = join(cacheFolder(), "code");
  if (!isAbsolute(folder))
    throw new Error("This would lie in whatever folder a host works in, with what others put there.");
  for (const one of [dirname(dirname(folder)), dirname(folder), folder])
    try {
      mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  const found = statSync(folder);
  // Node makes folders in it that others may write to if the umask lets them, so nobody else may enter it.
  if (!isOurs(found) || (process.getuid && (found.mode & 0o077) !== 0))
    throw new Error("The folder is not ours alone.");
  return folder;
}

export const isOurs = ({ uid, mode }: Stats): boolean =>
  !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);

/** As everything else of ours that can be made again; asking the library for it would cost what is to be saved. */
function cacheFolder(): string {
  const { PAL_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (PAL_CACHE) return PAL_CACHE;
  const home = homedir();
  if (process.platform === "darwin") return join(home, "Library", "Caches", "palimpsest");
  if (process.platform === "win32")
    return join(LOCALAPPDATA ?? join(home, "AppData", "Local"), "palimpsest", "Cache");
  return join(XDG_CACHE_HOME || join(home, ".cache"), "palimpsest");
}
