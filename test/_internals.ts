import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { ROOT } from "./_processes.js";

/** Parts that no door shows, joined from the sources for processes of a test. */
export function buildInternals(): { readonly file: string; remove(): void } {
  mkdirSync(join(ROOT, ".bench"), { recursive: true });
  // Inside the repository, so that packages are found.
  const file = join(ROOT, ".bench", `internals-${process.pid}.mjs`);
  const contents = `export { acquireLease, sqliteStorage } from "./src/storage/index.ts";
    export { hashBytes } from "./src/core/base/index.ts";`;
  const options = { bundle: true, format: "esm", platform: "node", packages: "external" } as const;
  buildSync({ ...options, stdin: { contents, resolveDir: ROOT, loader: "ts" }, outfile: file });
  return { file, remove: () => rmSync(file, { force: true }) };
}
