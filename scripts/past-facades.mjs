// Importing a module of Node as an ES module makes a facade of all that it exports, and with it loads what those getters
// stand for: streams for `fs`, web crypto for `crypto`. That costs every start 8 ms, so the module itself is asked for.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const OF_NODE = /^import \{([^}]*)\} from "(node:[^"]+)";$/gm;

/** Rewrites the JavaScript that the compiler wrote to `folder`. A Node too old to be asked gets as far as being told so. */
export function pastFacades(folder) {
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith(".js")) continue;
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    const asked = text.replace(
      OF_NODE,
      (_, names, module) =>
        `const {${names.replaceAll(" as ", ": ")}} = process.getBuiltinModule?.("${module}") ?? {};`,
    );
    if (asked !== text) writeFileSync(path, asked);
  }
}
