// Compiles src/ to dist/: tsc checks the types and writes the declarations, esbuild joins the modules of each entry
// into a few files. Loading each of our small modules by itself would cost every start of `pal` tens of
// milliseconds. A failed build leaves the old dist alone.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { hookScript } from "./hook-script.mjs";
import { joinChunks } from "./join-chunks.mjs";
import { pastDoors } from "./past-doors.mjs";
import { pastFacades } from "./past-facades.mjs";
import { SMALL } from "./small.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// Packages that every start would load module by module are joined too; all others stay outside.
const JOINED = [
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/node",
  "zod",
  "commander",
  "picocolors",
];
const external = Object.keys({ ...dependencies, ...peerDependencies })
  .filter((name) => !JOINED.includes(name))
  .flatMap((name) => [name, `${name}/*`]);

/** Older packages call `require` for parts of Node; a joined file has none. */
const requiredOfNode = {
  name: "required-of-node",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?\w+$/ }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path) ? { path, namespace: "required-of-node" } : undefined,
    );
    onLoad({ filter: /./, namespace: "required-of-node" }, ({ path }) => ({
      // Looked up when something of it is used: loading `child_process` costs each start milliseconds.
      contents: `module.exports = new Proxy({}, { get: (_, name) => process.getBuiltinModule(${JSON.stringify(path)})[name] });`,
    }));
  },
};

/**
 * The MCP packages bring a second validator of schemas for answers of forms, which no tool of ours asks for. To load it
 * would cost every start of a server more than all of our own code.
 */
const withoutForms = {
  name: "without-forms",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: "without-forms",
    }));
    onLoad({ filter: /./, namespace: "without-forms" }, () => ({
      contents: `
        export { default as process } from "node:process";
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error("Forms are not served."); }
        }`,
    }));
  },
};

/** package.json says that importing us has no side effects; inside, the command line's first import has one. */
const firstImport = {
  name: "first-import",
  setup({ onResolve }) {
    onResolve({ filter: /\/quiet-console\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: true,
    }));
  },
};

/**
 * V8 checks every pattern that it reads and works out its sets of Unicode, also where nobody will run it. Whoever imports
 * the library reads the detector's tables, which are made when they are first used, and would pay 10 ms for them.
 */
const patternsAsCalls = (folder) =>
  build({
    entryPoints: [join(folder, "*.js")],
    outdir: folder,
    allowOverwrite: true,
    supported: { "regexp-sticky-and-unicode-flags": false, "regexp-unicode-property-escapes": false },
    logLevel: "warning",
  });

/** The help of all commands as a table, so that it need not load them. */
const tabled = (plain) => ({
  name: "tabled",
  setup({ onLoad }) {
    onLoad({ filter: /doors[\\/]cli[\\/]outlines\.js$/ }, async () => {
      const { outlines } = await import(pathToFileURL(join(plain, "doors/cli/outlines.js")).href);
      const table = (await outlines()).map(({ name, summary, args, hidden }) => ({
        ...{ name, summary, args, hidden },
      }));
      return { contents: `export const outlines = async () => ${JSON.stringify(table)};`, loader: "js" };
    });
  },
});

/** The bundler names files as seen from where it ran. */
const absolute = ({ inputs }, from) => ({
  inputs: Object.fromEntries(Object.keys(inputs).map((path) => [join(from, path), true])),
});

/** Whoever gets the code of a package gets its licence too. */
function licences({ inputs }) {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "license"].map((one) => join(folder, one)).find(existsSync);
    return `${name} ${version} (${license})\n\n${file ? readFileSync(file, "utf8").trim() : ""}\n`;
  });
  return `Code of these packages is part of this directory.\n\n${texts.join("\n----\n\n")}`;
}

/** The model's thread as one classic script: it starts a tenth sooner than the same as modules. */
function workerScript(plain, dist) {
  return build({
    entryPoints: [join(plain, "search/embed/minilm/worker.js")],
    outfile: join(dist, "search/embed/minilm/worker.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    supported: { "regexp-unicode-property-escapes": true },
    // Where the package with the weights is looked for; of `import.meta` a script has nothing else.
    define: { "import.meta.url": "__filename" },
    ...SMALL,
    minifySyntax: true,
    logLevel: "error",
  });
}

const fresh = mkdtempSync(join(root, ".dist-"));
try {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const plain = join(fresh, "plain");
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", plain], {
    stdio: "inherit",
  });
  pastFacades(plain);
  await patternsAsCalls(join(plain, "recall/detect"));
  const dist = join(fresh, "dist");
  const { metafile } = await build({
    absWorkingDir: plain,
    // The model is an entry, so that it finds its worker beside it.
    entryPoints: [
      ...["index.js", "core/merkle/proof.js", "testing.js", "doors/cli/main.js"],
      ...["doors/anthropic/index.js", "search/embed/minilm/minilm.js"],
    ],
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Else each literal with such an escape becomes a call that makes it anew wherever it is used.
    supported: { "regexp-unicode-property-escapes": true },
    external,
    plugins: [requiredOfNode, withoutForms, firstImport, tabled(plain), pastDoors(plain)],
    ...SMALL,
    minifySyntax: true,
    metafile: true,
    chunkNames: "chunks/[name]-[hash]",
    legalComments: "none",
    logLevel: "warning",
  });
  await joinChunks(dist, plain, metafile.outputs, {
    layers: [
      { name: "cli-start", of: ["doors/cli/main.js"] },
      {
        name: "cli",
        of: ["program", "commands/get", "commands/remember"].map((one) => `doors/cli/${one}.js`),
      },
      { name: "session-core", of: ["session/opening.js"] },
      { name: "session-telling", of: ["doors/mcp/index.js"], within: ["session/index.js"] },
      { name: "library", of: ["index.js"] },
      {
        name: "session-search",
        of: [
          "recall/verbs/recall",
          "palace/verbs/palace-reads",
          "recall/palace-layers",
          "recall/playbook-files",
        ].map((one) => `${one}.js`),
      },
      {
        name: "session-status",
        of: ["review/verbs/review", "history/verbs/conflicts", "care/health"].map((one) => `${one}.js`),
      },
      { name: "session-writing", of: ["repo/write/writing.js", "session/write-verbs.js"] },
      { name: "session-rest", of: ["session/index.js"] },
    ],
    apartFrom: ["core/merkle/proof.js"],
  });
  const joining = { external, plugins: [requiredOfNode, firstImport, pastDoors(plain)] };
  await hookScript(plain, join(dist, "doors/cli/hook.cjs"), joining);
  await workerScript(plain, dist);
  cpSync(plain, dist, {
    recursive: true,
    filter: (path) => !path.endsWith(".js"),
  });
  writeFileSync(join(dist, "THIRD-PARTY-LICENCES.txt"), licences(absolute(metafile, plain)));
  chmodSync(join(dist, "doors/cli/main.js"), 0o755);
  rmSync(join(root, "dist"), { recursive: true, force: true });
  cpSync(dist, join(root, "dist"), { recursive: true });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
