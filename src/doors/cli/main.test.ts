import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Everything that is loaded before a command is known: static imports that are not types, from main down. */
function loadedAtStart(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.endsWith(".ts")) return seen;
  for (const [, types, target = ""] of readFileSync(file, "utf8").matchAll(
    /^import (type )?(?:[^"]*? from )?"([^"]+)";/gms,
  ))
    if (!types)
      loadedAtStart(target.startsWith(".") ? join(dirname(file), target.replace(/js$/, "ts")) : target, seen);
  return seen;
}

it("C47 nothing is loaded before it is needed: a start loads neither the store nor the parser nor a command", () => {
  const here = dirname(fileURLToPath(import.meta.url));
  const loaded = [...loadedAtStart(join(here, "main.ts"))].map((path) => path.replace(`${here}/`, ""));
  expect(loaded.filter((path) => path.endsWith(".ts")).sort()).toEqual([
    "code-folder.ts",
    "fail.ts",
    "globals.ts",
    "line.ts",
    "main.ts",
    "node-version.ts",
    "options.ts",
    "out.ts",
    "process-io.ts",
    "quiet-console.ts",
    "run.ts",
    "safe.ts",
    "width.ts",
  ]);
  expect(loaded.filter((path) => !path.endsWith(".ts")).sort()).toEqual([
    "node:fs",
    "node:module",
    "node:os",
    "node:path",
    "picocolors",
  ]);
});

it("C2 console is taken off stdout before anything else is loaded", () => {
  const source = readFileSync(new URL("./main.ts", import.meta.url), "utf8");
  expect(/^import .*$/m.exec(source)?.[0]).toBe('import "./quiet-console.js";');
});
