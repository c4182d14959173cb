import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "./_processes.js";

/**
 * A program of a package that is too heavy for everybody's install: taken from ours where somebody added it, else from the
 * folder that `$PAL_TEST_TOOLS` names. Undefined where it is nowhere; tests that need it are then skipped.
 */
export function toolOf(path: string): string | undefined {
  for (const folder of [ROOT, process.env.PAL_TEST_TOOLS])
    if (folder)
      try {
        return createRequire(join(folder, "package.json")).resolve(path);
      } catch {
        // Not here.
      }
  return undefined;
}
