import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { resolveModelDir } from "./safetensors.js";

/** The program of the threads and one cache, for the tests of one file. Node 20 runs no TypeScript in a worker, so it is built here. */
export function testWorker(): {
  readonly directory: string;
  readonly usual: { readonly cacheDir: string; readonly modelDir: string; readonly workerUrl: URL };
} {
  const directory = mkdtempSync(join(tmpdir(), "pal-encoder-"));
  const worker = join(directory, "worker.mjs");
  beforeAll(async () => {
    await build({
      entryPoints: [join(import.meta.dirname, "worker.ts")],
      outfile: worker,
      bundle: true,
      format: "esm",
      platform: "node",
    });
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const cacheDir = join(directory, "cache");
  return { directory, usual: { cacheDir, modelDir: resolveModelDir(), workerUrl: pathToFileURL(worker) } };
}
