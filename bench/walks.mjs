// How many files and functions one warm call runs through: what somebody reads who follows it. V8 counts them in the sources
// as they are, each module by itself.
import { readdirSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { fact } from "./_facts.mjs";
import { heading, report, temporary } from "./_measure.mjs";

const source = join(import.meta.dirname, "..", "src");
/** How many files a reader may have to open. */
const MOST = { "remember, plain": 60, search: 45, recall: 45 };

export async function run({ only = [] }) {
  const { directory, remove } = temporary("walks");
  try {
    await modules(join(directory, "src"));
    const walks = await walked(directory);
    heading("One warm call, module by module");
    for (const [name, files] of Object.entries(walks)) {
      const functions = files.reduce((sum, { count }) => sum + count, 0);
      const most = MOST[name];
      report(
        name,
        `${files.length} files, ${functions} functions`,
        most ? `${most} files` : "",
        most && files.length <= most,
      );
      if (only.includes("files"))
        for (const { file, count } of files) console.log(`    ${String(count).padStart(3)}  ${file}`);
    }
  } finally {
    remove();
  }
}

/** Every module without its types, and joined with no other. */
const modules = (outdir) =>
  build({
    entryPoints: readdirSync(source, { recursive: true })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => join(source, file)),
    ...{ outdir, outbase: source, platform: "node", format: "esm", logLevel: "error" },
  });

async function walked(directory) {
  process.env.PAL_EMBEDDER = "none";
  const { openStore } = await import(pathToFileURL(join(directory, "src/index.js")).href);
  const store = await openStore(join(directory, "store"));
  const pal = store.session({ agent: "reader" });
  await pal.rememberMany(Array.from({ length: 200 }, (_, at) => fact(at)));
  await pal.remember("Ana's bicycle is blue.");
  const listed = await pal.list({ limit: 10 });
  let count = 0;
  const calls = {
    "remember, plain": () => pal.remember(`The ferry number ${++count} leaves at noon.`),
    "remember, with a topic": () =>
      pal.remember({ text: `The ferry number ${++count} leaves at noon.`, topic: `ferry-${count}` }),
    get: () => pal.get(listed[++count % listed.length].id),
    search: () => pal.search("When does the ferry leave?"),
    recall: () => pal.recall("What colour is Ana's bicycle?"),
    merge: {
      before: async () => {
        const branch = `branch-${++count}`;
        await pal.createBranch(branch);
        await pal.checkout(branch);
        await pal.remember(`The bus number ${count} leaves at noon.`);
        await pal.checkout("main");
        await pal.remember(`The tram number ${count} leaves at noon.`);
        return branch;
      },
      call: (branch) => pal.merge(branch),
    },
  };
  const inspector = new Session();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const walks = {};
  for (const [name, one] of Object.entries(calls)) {
    const { before = () => undefined, call } = typeof one === "function" ? { call: one } : one;
    for (let round = 0; round < 3; round++) {
      const ready = await before();
      await inspector.post("Profiler.takePreciseCoverage");
      await call(ready);
      walks[name] = filesOf(await inspector.post("Profiler.takePreciseCoverage"), directory);
    }
  }
  inspector.disconnect();
  await store.close();
  return walks;
}

/** Our files in which a function ran, with how many did; what only was loaded is no step of the walk. */
function filesOf({ result }, directory) {
  const base = pathToFileURL(`${join(directory, "src")}/`).href;
  return result
    .filter(({ url }) => url.startsWith(base))
    .map(({ url, functions }) => ({
      file: url.slice(base.length).replace(/\.js$/, ".ts"),
      count: functions.filter(
        ({ functionName, ranges: [{ startOffset, count }] }) =>
          count > 0 && !(functionName === "" && startOffset === 0),
      ).length,
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}
