// Starts the installed Palimpsest for the plugin it lies in: never a program that is fetched by name, because anybody may
// claim a name, and never one of another version than the plugin was made for.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const json = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));
const { version } = json(here, "..", ".claude-plugin", "plugin.json");

/** Where the package may be: around the program that was said, around this plugin, or behind the `pal` on the PATH. */
function* folders() {
  const said = process.env.PAL_PROGRAM;
  if (said && isAbsolute(said)) yield* above(dirname(said));
  yield join(here, "..", "..");
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const link = join(folder, "pal");
    if (existsSync(link)) yield* above(dirname(realpathSync(link)));
    yield join(folder, "node_modules", "palimpsest");
    yield join(folder, "..", "lib", "node_modules", "palimpsest");
    yield join(folder, "..", "palimpsest");
  }
}

function* above(folder) {
  yield folder;
  if (folder !== dirname(folder)) yield* above(dirname(folder));
}

/** The package in a folder, if it is ours. */
function packageIn(folder) {
  try {
    const { name, version: found, bin } = json(folder, "package.json");
    return name === "palimpsest" ? { main: join(folder, bin.pal), version: found } : undefined;
  } catch {
    return undefined;
  }
}

function program() {
  const others = new Set();
  for (const folder of folders()) {
    const found = packageIn(folder);
    if (found && existsSync(found.main)) {
      if (found.version === version) return { main: found.main };
      others.add(found.version);
    }
  }
  return { others: [...others] };
}

const { main, others = [] } = program();
if (main === undefined) {
  const is = others.length === 0 ? "not installed" : `installed in version ${others.join(", ")}`;
  const missing = `Palimpsest is ${is}; this plugin needs version ${version}: npm install --global palimpsest@${version}`;
  const [kind, event = ""] = process.argv.slice(2);
  // A hook never fails its host; a person is told once a session.
  if (kind === "hook")
    process.stdout.write(
      `${JSON.stringify(/^session-?start$/i.test(event) ? { systemMessage: missing } : {})}\n`,
    );
  else {
    process.stderr.write(`${missing}\n`);
    process.exitCode = 1;
  }
} else {
  // Codex starts the server of a plugin in the folder of the plugin; the work is where Codex itself was started.
  const { PWD = "" } = process.env;
  const isInPlugin = realpathSync(process.cwd()) === realpathSync(join(here, ".."));
  if (isInPlugin && isAbsolute(PWD) && existsSync(PWD)) process.chdir(PWD);
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
}
