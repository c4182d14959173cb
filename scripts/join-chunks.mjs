// The bundler splits by what shares what, which makes dozens of small files that are always loaded together. Finding
// and reading each costs about a millisecond, so they become one file per layer: what `pal` always loads, what every
// session loads, the little of a session that a server for agents needs to begin, what importing the library adds, what
// searches, the page of `pal` alone and the first write add, and all the rest.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { SMALL } from "./small.mjs";

/**
 * `outputs` is the bundler's own account of what it wrote to `dist`; paths in it are seen from `from`. A layer `{ name,
 * of, within }` is what the entries `of` load and no layer before it holds; of that, what the entries `within` load too.
 */
export async function joinChunks(dist, from, outputs, { layers, apartFrom }) {
  const files = new Map(
    Object.entries(outputs).map(([path, output]) => [relative(dist, join(from, path)), output]),
  );
  const importsOf = (file) =>
    files
      .get(file)
      .imports.filter(({ kind, external }) => kind === "import-statement" && !external)
      .map(({ path }) => relative(dist, join(from, path)));
  const loadedBy = (entries) => {
    const found = new Set();
    const visit = (file) => {
      if (found.has(file)) return;
      found.add(file);
      for (const next of importsOf(file)) visit(next);
    };
    for (const [file, { entryPoint }] of files) if (entries.includes(entryPoint)) visit(file);
    return found;
  };
  // Whoever comes for a part of its own must not load a layer.
  const apart = loadedBy(apartFrom);
  /** The layer that each joined file is part of. */
  const layerOf = new Map();
  for (const { name, of, within = of } of layers) {
    const shared = loadedBy(within);
    const own = [...loadedBy(of)].filter(
      (file) =>
        shared.has(file) &&
        !apart.has(file) &&
        !layerOf.has(file) &&
        files.get(file).entryPoint === undefined,
    );
    for (const file of own) layerOf.set(file, name);
    const outside = own.flatMap(importsOf).filter((file) => !layerOf.has(file) && !apart.has(file));
    if (outside.length > 0) throw new Error(`The layer ${name} does not stand alone: ${outside.join(", ")}`);
  }
  for (const { name } of layers) await writeLayer(name);
  for (const file of layerOf.keys()) rmSync(join(dist, file));
  const written = layers.map(({ name }) => fileOf(name));
  for (const file of [...files.keys(), ...written]) {
    const path = join(dist, file);
    if (file.endsWith(".js") && !layerOf.has(file))
      writeFileSync(path, redirected(readFileSync(path, "utf8")));
  }

  function writeLayer(layer) {
    const own = [...layerOf].filter(([, name]) => name === layer).map(([file]) => file);
    const contents = own.map((file) => {
      const names = files.get(file).exports.map((name) => `${name} as ${alias(file, name)}`);
      return `export { ${names.join(", ")} } from ${JSON.stringify(join(dist, file))};`;
    });
    const isOwn = ({ path, kind }) =>
      kind !== "dynamic-import" && layerOf.get(`chunks/${path.split("/").at(-1)}`) === layer;
    const onlyOwn = {
      name: "only-own",
      setup: ({ onResolve }) =>
        onResolve({ filter: /./ }, (found) =>
          isOwn(found) ? undefined : { path: found.path, external: true },
        ),
    };
    return build({
      stdin: { contents: contents.join("\n"), resolveDir: dist },
      outfile: join(dist, fileOf(layer)),
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      supported: { "regexp-unicode-property-escapes": true },
      ...SMALL,
      ignoreAnnotations: true,
      logLevel: "warning",
      plugins: [onlyOwn],
    });
  }

  /** Imports of files that are no more, as imports of the one they are in. */
  function redirected(text) {
    return text.replace(
      /\bimport\s*(?:\{([^{}]*)\}\s*from\s*)?"((?:\.{1,2}\/)[^"]*?)([^"/]+\.js)"/g,
      (whole, names, folder, name) => {
        const file = `chunks/${name}`;
        const layer = layerOf.get(file);
        if (layer === undefined) return whole;
        const target = JSON.stringify(`${folder}${layer}.js`);
        if (names === undefined) return `import${target}`;
        const renamed = names.split(",").map((one) => {
          const [exported, local = exported] = one.trim().split(/\s+as\s+/);
          return `${alias(file, exported)} as ${local}`;
        });
        return `import{${renamed.join(",")}}from${target}`;
      },
    );
  }
}

const fileOf = (layer) => `chunks/${layer}.js`;
const alias = (file, name) => `_${/-(\w+)\.js$/.exec(file)[1]}_${name}`;
