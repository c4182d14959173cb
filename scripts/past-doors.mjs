// Modules import each other through their doors (`index.js`), and whoever imports a door loads everything behind it. So
// that a start loads what it uses and no more, the bundler is shown the file that each name comes from.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const NAMED = /^(import|export) \{([^}]*)\} from "(\.[^"]+)";$/gm;

/** A plugin of the bundler for the JavaScript that the compiler wrote to `folder`. */
export const pastDoors = (folder) => ({
  name: "past-doors",
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) =>
      path.startsWith(folder) ? { contents: redirected(path), loader: "js" } : undefined,
    );
  },
});

const redirected = (path) =>
  pastLateDoors(path, readFileSync(path, "utf8")).replace(NAMED, (whole, verb, names, specifier) =>
    specifier.endsWith("/index.js")
      ? pairs(names)
          .map(({ outer, inner }) => {
            const source = sourceOf(join(dirname(path), specifier), outer);
            return `${verb} { ${source.name} as ${inner} } from ${JSON.stringify(specifierOf(path, source.file))};`;
          })
          .join("\n")
      : whole,
  );

/** `const { a } = await import("<door>")` loads the file that has all the names, if one has. */
const LATE = /const \{([^}:]*)\} = await import\("(\.[^"]+\/index\.js)"\);/g;

const pastLateDoors = (path, text) =>
  text.replace(LATE, (whole, names, specifier) => {
    const sources = pairs(names).map(({ outer }) => sourceOf(join(dirname(path), specifier), outer));
    const isOne = new Set(sources.map(({ file }) => file)).size === 1;
    const isPlain = sources.every(({ name }, at) => name === pairs(names)[at].outer);
    return isOne && isPlain ? whole.replace(specifier, specifierOf(path, sources[0].file)) : whole;
  });

/** Where a door has a name from: `export { name } from "./file.js"`, perhaps through the door of a folder within. */
function sourceOf(door, name) {
  if (!door.endsWith("/index.js")) return { file: door, name };
  for (const [, verb, names, specifier] of readFileSync(door, "utf8").matchAll(NAMED)) {
    const found = verb === "export" && pairs(names).find(({ inner }) => inner === name);
    if (found) return sourceOf(join(dirname(door), specifier), found.outer);
  }
  return { file: door, name };
}

/** `a, b as c` as the names outside and inside. */
const pairs = (names) =>
  names
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const [outer, inner = outer] = one.split(" as ");
      return { outer, inner };
    });

function specifierOf(from, file) {
  const path = relative(dirname(from), file);
  return path.startsWith(".") ? path : `./${path}`;
}
