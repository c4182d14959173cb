// The command line with the one command that agents' hosts run, as a classic script: what V8 made of a script can be kept and
// used again (see src/doors/cli/kept-code.ts), what it made of modules cannot before Node 22.
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { SMALL } from "./small.mjs";

/** Another command would come with all that it loads. */
const onlyHooks = {
  name: "only-hooks",
  setup: ({ onLoad }) =>
    onLoad({ filter: /cli\/catalog\.js$/ }, () => ({
      contents: `
        export const CATALOG = { hook: () => import("./commands/hook.js") };
        export const allCommands = async () => [(await CATALOG.hook()).command];`,
      loader: "js",
    })),
};

/** Its parameters are `require`, `module`, `__import` in place of `import`, and `__place`, its own URL. */
export async function hookScript(plain, file, { external, plugins }) {
  await build({
    absWorkingDir: plain,
    entryPoints: ["doors/cli/run.js"],
    outfile: file,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    supported: { "regexp-unicode-property-escapes": true },
    define: { "import.meta.url": "__place" },
    external,
    plugins: [onlyHooks, ...plugins],
    ...SMALL,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "error",
  });
  // Text of one byte a character is read and held at half the cost.
  const text = readFileSync(file, "utf8")
    .replace(/\bimport\((?=")/g, "__import(")
    .replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  // A method may be called so.
  if (/(?<!async |\.)\bimport\(/.test(text)) throw new Error("Such an import cannot be part of a script.");
  writeFileSync(file, text);
}
