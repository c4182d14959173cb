// Compiles the AssemblyScript kernels in wasm/ and writes each as a TypeScript module that holds its bytes as text:
// so tests, workers and bundles need no file beside them. The modules are committed; a test compiles them again.
//
//   node scripts/wasm.mjs            writes the modules
//   node scripts/wasm.mjs --check    exit 1 when a module is not what its source compiles to
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";

const root = fileURLToPath(new URL("..", import.meta.url));
const COMMON = ["-O3", "--noAssert", "--runtime", "stub", "--importMemory", "--enable", "simd"];
const KERNELS = [
  {
    source: "wasm/encoder.ts",
    module: "src/encoder/kernels.ts",
    // Workers share the weights, and shared memory has to name its largest size.
    flags: ["--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536", "--enable", "threads"],
  },
  { source: "wasm/words.ts", module: "src/encoder/words-kernel.ts", flags: [] },
  { source: "wasm/vectors.ts", module: "src/index/vectors/kernel.ts", flags: [] },
];

async function compile({ source, flags }) {
  let bytes;
  const { error, stderr } = await main([source, "--outFile", "out.wasm", ...COMMON, ...flags], {
    readFile: (name) => {
      try {
        return readFileSync(join(root, name), "utf8");
      } catch {
        return null;
      }
    },
    writeFile: (name, content) => {
      if (name === "out.wasm") bytes = content;
    },
  });
  if (error || !bytes) throw new Error(`${source}: ${stderr.toString()}`, { cause: error });
  return Buffer.from(bytes).toString("base64");
}

for (const kernel of KERNELS) {
  const text = `/** Compiled from ${kernel.source} by \`npm run wasm\`; not written by hand. WebAssembly in base64. */
export const KERNEL =
  "${await compile(kernel)}";
`;
  const path = join(root, kernel.module);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(`${kernel.module} is not what ${kernel.source} compiles to; run \`npm run wasm\`.`);
    process.exitCode = 1;
  }
}
