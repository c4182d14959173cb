// npm run torture [-- B2 B7] [-- --seed 7] : the tests in their long versions, all of them or those that show the
// named bars (their names, or those they stand under, have the bar in brackets). The seed is printed; a failing one can be given again.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals: bars } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: String(1 + (Date.now() % 1_000_000)) } },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const named = new RegExp(`\\((?:B\\d+b?, )*(?:${bars.join("|")})\\b`);
const files = ["src", "test"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => bars.length === 0 || named.test(readFileSync(join(root, path), "utf8")));
if (files.length === 0) {
  console.error(`No test shows ${bars.join(", ")}.`);
  process.exit(2);
}
console.log(`seed ${values.seed}${bars.length > 0 ? `, ${bars.join(" ")}` : ""}`);
const filter = bars.length > 0 ? [...files, "-t", named.source] : [];
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", ...filter],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PAL_TORTURE: "1", PAL_SEED: values.seed },
  },
);
process.exitCode = status ?? 1;
