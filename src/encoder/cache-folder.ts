/** `$PAL_CACHE`, else the platform's cache directory: what lies there can be made again. */
export async function cacheFolder(): Promise<string> {
  if (process.env.PAL_CACHE) return process.env.PAL_CACHE;
  const { default: envPaths } = await import("env-paths");
  return envPaths("palimpsest", { suffix: "" }).cache;
}
