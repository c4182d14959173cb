// Compiles src/ to dist/ and marks the command line as executable. A failed compile leaves the old dist alone.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const fresh = mkdtempSync(join(root, ".dist-"));
try {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", fresh], {
    stdio: "inherit",
  });
  rmSync(join(root, "dist"), { recursive: true, force: true });
  cpSync(fresh, join(root, "dist"), { recursive: true });
  const main = join(root, "dist/doors/cli/main.js");
  if (existsSync(main)) chmodSync(main, 0o755);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
