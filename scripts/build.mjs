// Compiles src/ to dist/: tsc checks the types and writes the declarations, esbuild joins the modules of each entry
// into a few files. Loading each of our small modules by itself would cost every start of `pal` tens of
// milliseconds. A failed build leaves the old dist alone.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const fresh = mkdtempSync(join(root, ".dist-"));
try {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const plain = join(fresh, "plain");
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", plain], {
    stdio: "inherit",
  });
  const dist = join(fresh, "dist");
  await build({
    absWorkingDir: plain,
    // The model and its worker are entries, so that the one finds the other beside it.
    entryPoints: [
      ...["index.js", "merkle/proof.js", "testing.js", "doors/cli/main.js"],
      "doors/anthropic/index.js",
      ...["embed/minilm/index.js", "embed/minilm/worker.js"],
    ],
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    chunkNames: "chunks/[name]-[hash]",
    legalComments: "none",
    // package.json says that importing us has no side effects; inside, the command line's first import has one.
    ignoreAnnotations: true,
    logLevel: "warning",
  });
  cpSync(plain, dist, {
    recursive: true,
    filter: (path) => !path.endsWith(".js"),
  });
  chmodSync(join(dist, "doors/cli/main.js"), 0o755);
  rmSync(join(root, "dist"), { recursive: true, force: true });
  cpSync(dist, join(root, "dist"), { recursive: true });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
