// What is bundled, and how: the modules of the package, and two scripts that Node runs as one file each.
import { readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { transformSync } from "rolldown/experimental";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = (path) => join(root, "src", path);
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

// Packages that every start would load module by module are joined too; all others stay outside.
const JOINED = [
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/node",
  "zod",
  "commander",
  "picocolors",
];
const outside = Object.keys({ ...dependencies, ...peerDependencies }).filter(
  (name) => !JOINED.includes(name),
);

export const ENTRIES = {
  index: source("index.ts"),
  testing: source("testing.ts"),
  "core/merkle/proof": source("core/merkle/proof.ts"),
  "doors/cli/main": source("doors/cli/main.ts"),
  "doors/anthropic/index": source("doors/anthropic/index.ts"),
  "doors/frameworks/langgraph": source("doors/frameworks/langgraph.ts"),
  "doors/frameworks/openai-agents": source("doors/frameworks/openai-agents.ts"),
  "doors/frameworks/ai-sdk": source("doors/frameworks/ai-sdk.ts"),
  // What the benches measure by itself.
  "search/embed/minilm": source("search/embed/minilm.ts"),
  "judge/index": source("judge/index.ts"),
};

/**
 * Node makes a facade of all that a module of its own exports when an ES module imports it, and loads what those getters
 * stand for: streams for `fs`, web crypto for `crypto`. That costs every start 8 ms, so the module itself is asked for.
 * A Node that is too old for that gets as far as being told so.
 */
const nodeItself = {
  name: "node-itself",
  resolveId: (id) => (isBuiltin(id) ? `\0${id}` : undefined),
  load: (id) =>
    id.startsWith("\0") && isBuiltin(id.slice(1))
      ? {
          code: `module.exports = process.getBuiltinModule?.(${JSON.stringify(id.slice(1))}) ?? {};`,
          moduleSideEffects: false,
        }
      : undefined,
};

/**
 * The MCP packages bring a second validator of schemas for answers of forms, which no tool of ours asks for. To load it
 * would cost every start of a server more than all of our own code.
 */
const withoutForms = {
  name: "without-forms",
  resolveId: (id) => (id === "@modelcontextprotocol/server/_shims" ? "\0without-forms" : undefined),
  load: (id) =>
    id === "\0without-forms"
      ? `export { default as process } from "node:process";
         export class DefaultJsonSchemaValidator {
           getValidator() { throw new Error("Forms are not served."); }
         }`
      : undefined,
};

/**
 * V8 checks every pattern that it reads and works out its sets of Unicode, also where nobody will run it. The detector has
 * hundreds: as calls they are made when its tables are first used.
 */
const patternsAsCalls = {
  name: "patterns-as-calls",
  transform: {
    filter: { id: /recall\/detect\/[\w-]+\.ts$/ },
    handler: (code, id) => transformSync(id, code, { target: "es2017" }),
  },
};

export const options = {
  platform: "node",
  external: outside.flatMap((name) => [name, new RegExp(`^${name}/`)]),
  plugins: [nodeItself, withoutForms, patternsAsCalls],
  // What is imported late is often loaded already by others; that is no mistake.
  checks: { ineffectiveDynamicImport: false },
  treeshake: {
    moduleSideEffects: [
      { test: /doors\/cli\/(?:quiet-console|main)\.ts$/, sideEffects: true },
      { test: /\/src\//, sideEffects: false },
    ],
  },
};

/** Not minified: that saves no start any time that can be measured, and a stack is read by people. */
const PLAIN = { minify: false, comments: false };

/**
 * Finding and reading a file costs about a millisecond, so what is loaded together is one file. Each layer is these
 * modules and all that they import, but for what a layer before it has.
 */
const LAYERS = [
  ["node", /^\0(?:node:|rolldown)/],
  // A verifier loads nothing else.
  ["proof", /core\/merkle\/proof[\w-]*\.ts$/],
  ["cli-start", /doors\/cli\/(?:run|process-io|node-version|code-folder)\.ts$/],
  ["cli-words", /doors\/cli\/program\.ts$/],
  ["session-core", /session\/opening\.ts$/],
  ["cli", /doors\/cli\/commands\/(?:get|remember)\.ts$/],
  [
    "session-search",
    /(?:repo\/live\/(?:follow-view|view-image)|recall\/verbs\/recall|palace\/verbs\/palace-reads|recall\/palace-layers|recall\/playbook-files)\.ts$/,
  ],
  ["session-status", /(?:review\/verbs\/review|history\/verbs\/conflicts|history\/totals|care\/health)\.ts$/],
  [
    "session-writing",
    /(?:repo\/write\/writing|memories\/verbs\/(?:remember|update|forget|move|observe))\.ts$/,
  ],
  ["session-rest", /session\/index\.ts$/],
  // Its thread is looked for beside it.
  ["minilm", /encoder\/threads\.ts$/],
];

export const CHUNKS = {
  ...PLAIN,
  format: "esm",
  chunkFileNames: ({ name }) =>
    LAYERS.some(([layer]) => layer === name) ? "chunks/[name].js" : "chunks/[name]-[hash].js",
  codeSplitting: {
    groups: LAYERS.map(([name, test], at) => ({ name, test, priority: LAYERS.length - at })),
  },
};

/** One script of one entry, run without modules: it starts a tenth sooner. */
async function script(input, file, { plugins = [], place }) {
  const bundle = await rolldown({
    ...options,
    input,
    plugins: [...plugins, ...options.plugins],
    transform: { define: { "import.meta.url": place } },
  });
  await bundle.write({ ...PLAIN, format: "cjs", file, dynamicImportInCjs: false, codeSplitting: false });
}

/** Another command would come with all that it loads. */
const onlyHooks = {
  name: "only-hooks",
  load: (id) =>
    id.endsWith("doors/cli/catalog.ts")
      ? `export const CATALOG = { hook: () => import("./commands/hook.js") };
         export const allCommands = async () => [(await CATALOG.hook()).command];`
      : undefined,
};

/** A script whose code is kept cannot import: what lies outside is asked of whoever runs it. */
const askedFor = {
  name: "asked-for",
  transform: {
    filter: { id: /\/src\// },
    handler: (code) =>
      code.replace(/(?<!typeof )\bimport\("([^".][^"]*)"\)/g, (whole, name) =>
        outside.includes(name) ? `__import(${JSON.stringify(name)})` : whole,
      ),
  },
};

/**
 * The command line with the one command that agents' hosts run, as one script: what V8 made of a script can be kept and
 * used again where Node has no compile cache (see src/doors/cli/kept-code.ts). Its parameters are those of any such script, `__import` in place
 * of `import`, and `__place`, its own URL. Text of
 * one byte a character is read and held at half the cost.
 */
export async function hookScript(file) {
  await script(source("doors/cli/run.ts"), file, { plugins: [onlyHooks, askedFor], place: "__place" });
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** The model's thread. Where the package with the weights is looked for follows from its own name. */
export const workerScript = (file) => script(source("encoder/worker.ts"), file, { place: "__filename" });
