// The bundler splits by what shares what, which makes dozens of small files that every session loads together. Finding
// and reading each costs about a millisecond, so what a session always loads becomes one file.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

const JOINED = "chunks/session-core.js";

/** `outputs` is the bundler's own account of what it wrote to `dist`; paths in it are seen from `from`. */
export async function joinChunks(dist, from, outputs, { of, apartFrom }) {
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
  // Whoever comes without a session must not load one.
  const apart = loadedBy(apartFrom);
  const joined = new Set(
    [...loadedBy([of])].filter((file) => !apart.has(file) && files.get(file).entryPoint === undefined),
  );
  const outside = [...joined].flatMap(importsOf).filter((file) => !joined.has(file) && !apart.has(file));
  if (outside.length > 0) throw new Error(`What a session loads does not stand alone: ${outside.join(", ")}`);

  const alias = (file, name) => `_${/-(\w+)\.js$/.exec(file)[1]}_${name}`;
  const nameOf = (path) => `chunks/${path.split("/").at(-1)}`;
  await build({
    stdin: {
      contents: [...joined]
        .map((file) => {
          const names = files.get(file).exports.map((name) => `${name} as ${alias(file, name)}`);
          return `export { ${names.join(", ")} } from ${JSON.stringify(join(dist, file))};`;
        })
        .join("\n"),
      resolveDir: dist,
    },
    outfile: join(dist, JOINED),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    supported: { "regexp-unicode-property-escapes": true },
    minifyWhitespace: true,
    ignoreAnnotations: true,
    logLevel: "warning",
    plugins: [
      {
        name: "only-joined",
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ path, kind }) =>
            kind !== "dynamic-import" && joined.has(nameOf(path)) ? undefined : { path, external: true },
          ),
      },
    ],
  });
  for (const file of files.keys()) {
    const path = join(dist, file);
    if (joined.has(file)) rmSync(path);
    else if (file.endsWith(".js")) writeFileSync(path, redirected(readFileSync(path, "utf8")));
  }

  /** Imports of files that are no more, as imports of the one they are in. */
  function redirected(text) {
    return text.replace(
      /\bimport\s*(?:\{([^{}]*)\}\s*from\s*)?"((?:\.{1,2}\/)[^"]*?)([^"/]+\.js)"/g,
      (whole, names, folder, name) => {
        const file = `chunks/${name}`;
        if (!joined.has(file)) return whole;
        const target = JSON.stringify(`${folder}${JOINED.split("/").at(-1)}`);
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
