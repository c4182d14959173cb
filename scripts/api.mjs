// The public API as one readable text, so that no change to it goes unseen.
//
//   node scripts/api.mjs            compares dist with test/api.snapshot.txt; exit 1 and a short diff when they differ
//   node scripts/api.mjs --write    writes the snapshot
//   --root <dir>                    another package than this one (its package.json, dist/ and test/)
//
// For each entry of package.json it lists every exported name with its declaration, following re-exports from file to
// file. It works on the text of the .d.ts files: the compiler writes them in one regular form, in which a statement
// begins at the start of a line and everything that belongs to it is indented. A form it does not know is an error
// and never a gap in the list.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: { write: { type: "boolean", default: false }, root: { type: "string" } },
});
const root = resolve(options.root ?? fileURLToPath(new URL("..", import.meta.url)));
const snapshotPath = join(root, "test/api.snapshot.txt");

const STRING_OR_COMMENT =
  /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const DECLARATION =
  /^(export )?(?:declare )?(?:abstract )?(?:const enum|const|let|var|function|class|interface|type|enum|namespace) ([\w$]+)/;
const LIST = /^(export|import) (?:type )?(?:[\w$]+, )?\{([^}]*)\}(?: from ["']([^"']+)["'])?;?$/;
const STAR = /^export (?:type )?\*(?: as ([\w$]+))? from ["']([^"']+)["'];?$/;
const WHOLE_IMPORT = /^import (?:type )?(?:\* as )?[\w$]+ from |^import ["']/;

/** The top-level statements of a .d.ts file, without comments. */
function statements(text) {
  const found = [];
  for (const line of text.replace(STRING_OR_COMMENT, (_, string) => string ?? "").split("\n")) {
    if (line.trim() === "") continue;
    if (/^[\w/]/.test(line) || found.length === 0) found.push(line.trimEnd());
    else found[found.length - 1] += `\n${line.trimEnd()}`;
  }
  return found;
}

const names = (list) =>
  list
    .split(",")
    .map((item) => item.trim().replace(/^type /, ""))
    .filter(Boolean)
    .map((item) => {
      const [name, as = name] = item.split(" as ");
      return { name, as };
    });

const files = new Map();
/** What one file declares, imports and exports. `exports` and `imports`: name -> { name, from? } */
function read(path) {
  if (files.has(path)) return files.get(path);
  const file = { path, declared: new Map(), imports: new Map(), exports: new Map(), stars: [] };
  files.set(path, file);
  for (const statement of statements(readFileSync(path, "utf8"))) {
    const list = LIST.exec(statement.replace(/\s+/g, " "));
    const star = STAR.exec(statement);
    const declaration = DECLARATION.exec(statement);
    if (list) {
      const [, word, items, from] = list;
      for (const { name, as } of names(items)) file[`${word}s`].set(as, { name, from });
    } else if (star) {
      if (star[1]) file.exports.set(star[1], { name: "*", from: star[2] });
      else file.stars.push(star[2]);
    } else if (declaration) {
      const [, exported, name] = declaration;
      file.declared.set(name, [...(file.declared.get(name) ?? []), statement]);
      if (exported) file.exports.set(name, { name });
    } else if (!WHOLE_IMPORT.test(statement)) {
      throw new Error(`${relative(root, path)}: cannot read \`${statement.split("\n")[0]}\``);
    }
  }
  return file;
}

const isOurs = (specifier) => specifier.startsWith(".");
const follow = (file, specifier) => read(join(dirname(file.path), specifier.replace(/\.js$/, ".d.ts")));

function exportedNames(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const ours = file.stars.filter(isOurs).flatMap((from) => exportedNames(follow(file, from), seen));
  return [
    ...new Set([
      ...file.exports.keys(),
      ...ours,
      ...file.stars.filter((from) => !isOurs(from)).map((from) => `* from ${from}`),
    ]),
  ];
}

/** The declaration that a file exports under a name, or undefined. */
function declarationOf(file, name, seen = new Set()) {
  const key = `${file.path} ${name}`;
  if (seen.has(key)) return undefined;
  seen.add(key);
  if (name.startsWith("* from ")) return `export ${name}`;
  const exported = file.exports.get(name);
  if (!exported) {
    for (const from of file.stars.filter(isOurs)) {
      const found = declarationOf(follow(file, from), name, seen);
      if (found) return found;
    }
    return undefined;
  }
  return exported.from ? elsewhere(file, exported, seen) : local(file, exported.name, seen);
}

function local(file, name, seen) {
  const imported = file.imports.get(name);
  if (imported) return elsewhere(file, imported, seen);
  const own = file.declared.get(name)?.map(tidy).join("\n");
  // What is computed from a value (the options of a verb, the verbs of a session), or adds to a class, says little alone.
  const parts = new Set([...(own ?? "").matchAll(/\b(?:typeof|extends) ([\w$]+)/g)].map(([, part]) => part));
  return own && [own, ...[...parts].flatMap((part) => file.declared.get(part)?.map(tidy) ?? [])].join("\n");
}

function elsewhere(file, { name, from }, seen) {
  if (!isOurs(from)) return `${name} from "${from}"`;
  if (name !== "*") return declarationOf(follow(file, from), name, seen);
  const target = follow(file, from);
  return exportedNames(target)
    .sort()
    .map((item) => declarationOf(target, item, seen))
    .join("\n");
}

/** Private members are nobody's business; a private constructor is (it says that there is another way in). */
const tidy = (statement) =>
  statement
    .replace(/^export /, "")
    .replace(/^declare /, "")
    .split("\n")
    .filter((line) => !/^\s+(?:private (?!constructor)|#private)/.test(line))
    .map((line) => line.replace(/^( {4})+/, (indent) => indent.slice(indent.length / 2)))
    .map((line) => line.replaceAll(/\bimport\("[^"]*"\)\./g, ""))
    .join("\n");

function describe() {
  const { name: packageName, exports: entries } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  let text = "The public API. Written by `npm run api`; every change here is a decision.\n";
  for (const [entry, { types }] of Object.entries(entries)) {
    if (!types) continue;
    if (!existsSync(join(root, types))) throw new Error(`${types} is missing; run \`npm run build\` first`);
    const file = read(join(root, types));
    text += `\n== ${packageName}${entry.slice(1)} ==\n`;
    for (const name of exportedNames(file).sort()) {
      const declaration = declarationOf(file, name);
      if (!declaration) throw new Error(`${types} exports ${name}, but its declaration was not found`);
      text += `\n${name}\n${declaration.replace(/^/gm, "  ")}\n`;
    }
  }
  return text;
}

/** Name (with its entry) -> lines of its declaration. */
function blocks(text) {
  const found = new Map();
  let entry = "";
  let lines = [];
  for (const line of text.split("\n").slice(1)) {
    if (line.startsWith("== ")) entry = line.slice(3, -3);
    else if (line.startsWith("  ")) lines.push(line);
    else if (line) {
      lines = [];
      found.set(`${entry}: ${line}`, lines);
    }
  }
  return found;
}

function difference(before, after) {
  const [old, fresh] = [blocks(before), blocks(after)];
  const out = [];
  for (const key of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [was, is] = [old.get(key) ?? [], fresh.get(key) ?? []];
    if (was.join("\n") === is.join("\n")) continue;
    out.push(`${!old.has(key) ? "added  " : !fresh.has(key) ? "removed" : "changed"} ${key}`);
    out.push(...was.filter((line) => !is.includes(line)).map((line) => `  -${line}`));
    out.push(...is.filter((line) => !was.includes(line)).map((line) => `  +${line}`));
  }
  const shown = 60;
  if (out.length > shown) out.splice(shown, Infinity, `… and ${out.length - shown} more lines`);
  return out.length > 0 ? out.join("\n") : "only the order or the layout changed";
}

try {
  const now = describe();
  const before = existsSync(snapshotPath)
    ? readFileSync(snapshotPath, "utf8").replaceAll("\r\n", "\n")
    : undefined;
  const where = relative(process.cwd(), snapshotPath);
  if (options.write) {
    writeFileSync(snapshotPath, now);
    console.log(before === now ? `${where} is up to date` : `${where} written`);
  } else if (before === undefined) {
    throw new Error(`${where} is missing; write it with \`npm run api\``);
  } else if (before !== now) {
    throw new Error(
      `the public API differs from ${where}:\n\n${difference(before, now)}\n\nIf that is meant, run \`npm run api\`.`,
    );
  } else console.log("api: unchanged");
} catch (error) {
  console.error(`api: ${error.message}`);
  process.exitCode = 1;
}
