// Compiles src/ to dist/: tsc checks the types and writes declarations, rolldown makes a few files of some thousand
// modules, because loading each by itself would cost every start of `pal` tens of milliseconds. A failed build leaves the
// old dist alone.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { CHUNKS, ENTRIES, hookScript, options, workerScript } from "./bundles.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const fresh = mkdtempSync(join(root, ".dist-"));

/** Declarations that the entries of the package lead to, and no others. */
function declarations(from, to) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(join(from, file), "utf8");
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), text);
    for (const [, specifier] of text.matchAll(/\b(?:from|import\()\s*"(\.{1,2}\/[^"]+)\.js"/g))
      visit(relative(from, resolve(from, dirname(file), `${specifier}.d.ts`)));
  };
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const { types } of Object.values(exports)) if (types) visit(types.replace("./dist/", ""));
}

/** Who gets the code of a package gets its licence too. */
function licences(modules) {
  const folders = new Set(
    modules.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "license"].map((one) => join(folder, one)).find(existsSync);
    return `${name} ${version} (${license})\n\n${file ? readFileSync(file, "utf8").trim() : ""}\n`;
  });
  return `Code of these packages is part of this directory.\n\n${texts.join("\n----\n\n")}`;
}

try {
  const dist = join(fresh, "dist");
  const types = join(fresh, "types");
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = ["-p", join(root, "tsconfig.build.json"), "--emitDeclarationOnly", "--outDir", types];
  execFileSync(process.execPath, [tsc, ...args], { stdio: "inherit" });
  const bundle = await rolldown({ ...options, input: ENTRIES });
  const { output } = await bundle.write({ ...CHUNKS, dir: dist });
  await hookScript(join(dist, "doors/cli/hook.cjs"));
  // Beside the chunk that starts it.
  await workerScript(join(dist, "chunks/worker.cjs"));
  declarations(types, dist);
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  writeFileSync(join(dist, "THIRD-PARTY-LICENCES.txt"), licences(modules));
  chmodSync(join(dist, "doors/cli/main.js"), 0o755);
  rmSync(join(root, "dist"), { recursive: true, force: true });
  cpSync(dist, join(root, "dist"), { recursive: true });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
