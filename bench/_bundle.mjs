// Parts of the sources, bundled for training: it needs what the package does not export.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

export const root = join(import.meta.dirname, "..");

/** Everything that these modules, named as in `src/`, export. */
export async function bundled(name, modules) {
  const outfile = join(root, ".bench", `${name}.mjs`);
  mkdirSync(join(root, ".bench"), { recursive: true });
  await build({
    stdin: { contents: modules.map((one) => `export * from "./src/${one}.ts";`).join(" "), resolveDir: root },
    ...{ bundle: true, platform: "node", format: "esm", packages: "external", outfile, logLevel: "warning" },
  });
  return await import(outfile);
}
