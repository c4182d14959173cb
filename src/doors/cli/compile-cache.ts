import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Much of what a start of `pal` costs is compiling its own code. Where Node can keep the result (22.8 and later) the next
 * start takes it from a directory that only this user writes to, because what lies there is run.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    enableCompileCache?: (directory?: string) => unknown;
  };
  if (env.NODE_COMPILE_CACHE === undefined) enableCompileCache?.(join(cacheOf(env), "compiled"));
}

/** As for what else can be made again: `$PAL_CACHE`, else the platform's place. */
function cacheOf(env: NodeJS.ProcessEnv): string {
  if (env.PAL_CACHE) return env.PAL_CACHE;
  if (process.platform === "win32")
    return join(env.LOCALAPPDATA || join(homedir(), "AppData", "Local"), "palimpsest", "Cache");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "palimpsest");
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "palimpsest");
}
