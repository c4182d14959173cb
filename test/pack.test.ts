import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "./_processes.js";

let place: string;
let files: string[];
const at = (...path: string[]): string => join(place, "package", ...path);
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "pal-pack-"));
  const pack = [join(ROOT, "scripts", "pack.mjs"), place, "--built"];
  const said = execFileSync(process.execPath, pack, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { file } = JSON.parse(said) as { file: string };
  files = execFileSync("tar", ["-xvzf", file, "-C", place], { encoding: "utf8" }).trim().split("\n");
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

it("C820 the package runs nothing where it is installed and ships all that is started, and no source", () => {
  const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));
  expect(manifest.scripts).toBeUndefined();
  expect(manifest.devDependencies).toBeUndefined();
  for (const path of [
    ...Object.values(manifest.bin as Record<string, string>),
    ...Object.values(manifest.exports as Record<string, string | { types: string; default: string }>).flatMap(
      (one) => (typeof one === "string" ? [one] : [one.types, one.default]),
    ),
    ...["plugin/.claude-plugin/plugin.json", "plugin/.mcp.json", "plugin/scripts/pal.mjs", "LICENSE"],
    ...["plugin/hooks/hooks.json", "plugin/opencode/palimpsest.js", "dist/THIRD-PARTY-LICENCES.txt"],
  ])
    expect([path, existsSync(at(path))]).toEqual([path, true]);
  expect(files.filter((path) => /(?<!\.d)\.ts$|\.map$|\/test\//.test(path))).toEqual([]);
});

it("C820 every declaration that is shipped is reached from an entry", () => {
  const { exports } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const [, one = ""] of readFileSync(path, "utf8").matchAll(
      /\b(?:from|import\()\s*"(\.{1,2}\/[^"]+)\.js"/g,
    ))
      visit(join(path, "..", `${one}.d.ts`));
  };
  for (const { types } of Object.values(exports) as { types?: string }[]) if (types) visit(at(types));
  const shipped = files.filter((path) => path.endsWith(".d.ts")).map((path) => join(place, path));
  expect(shipped.filter((path) => !reached.has(path))).toEqual([]);
});

it("C820 what is packed starts", () => {
  symlinkSync(join(ROOT, "node_modules"), at("node_modules"));
  const ran = spawnSync(process.execPath, [at("dist/doors/cli/main.js"), "--version"], { encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});
