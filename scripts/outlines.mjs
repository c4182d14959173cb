// Writes src/doors/cli/outline-table.ts: what the help of all commands says of each. To load every command for one line of
// each would cost `pal --help` several times as much.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { options } from "./bundles.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const fresh = mkdtempSync(join(root, ".dist-"));
try {
  const bundle = await rolldown({ ...options, input: join(root, "src/doors/cli/outlines.ts") });
  await bundle.write({ dir: fresh, format: "esm", entryFileNames: "outlines.mjs" });
  const { outlinesOfAll } = await import(pathToFileURL(join(fresh, "outlines.mjs")).href);
  const file = join(root, "src/doors/cli/outline-table.ts");
  const table = JSON.stringify(await outlinesOfAll());
  writeFileSync(
    file,
    `import type { Outline } from "./outlines.js";\n\n/** Written by \`npm run docs\`. */\nexport const OUTLINES: readonly Outline[] = ${table};\n`,
  );
  execFileSync(join(root, "node_modules/.bin/biome"), ["check", "--write", file], { stdio: "inherit" });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
