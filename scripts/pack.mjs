// npm run pack [-- <folder> | --publish <options>] : the package as it is published. What only somebody who works on it needs (scripts, development
// dependencies) is left out of its manifest, so that nothing of it runs or is looked at where it is installed.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const run = (args, cwd) =>
  execFileSync(npm, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

const isBuilt = process.argv.includes("--built");
if (!isBuilt) execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
const {
  scripts: _,
  devDependencies: __,
  ...manifest
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [{ files }] = JSON.parse(run(["pack", "--dry-run", "--json", "--ignore-scripts"], root));
const stage = mkdtempSync(join(root, ".dist-package-"));
try {
  for (const { path } of files) {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    cpSync(join(root, path), join(stage, path));
  }
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const rest = process.argv.slice(2).filter((one) => one !== "--built");
  if (rest[0] === "--publish") process.stdout.write(run(["publish", ...rest.slice(1)], stage));
  else {
    const to = resolve(rest[0] ?? root);
    mkdirSync(to, { recursive: true });
    const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(
      run(["pack", "--json", "--pack-destination", to], stage),
    );
    console.log(JSON.stringify({ file: join(to, filename), size, unpackedSize, files: entryCount }));
  }
} finally {
  rmSync(stage, { recursive: true, force: true });
}
