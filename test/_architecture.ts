/**
 * Checkers of the tree's shape. Each takes the sources as text (path from the repository's root to content), so that
 * a small fake tree can show that it is able to fail, and answers with one sentence per problem.
 *
 * Imports are found by a regular expression on lines: the formatter puts every import at the start of a line, and
 * what such a text search can miss (a computed `import(name)`) is no way for a cycle or a deep import to come in.
 */
export type Tree = ReadonlyMap<string, string>;

/** Rooms, lowest first; each imports only rooms before it. `index.ts` is src/index.ts, the public surface. */
export const RANKS: readonly (readonly string[])[] = [
  ["core/base"],
  ["core/merkle"],
  ["core/ledger"],
  ["storage"],
  ["language"],
  ["index"],
  ["encoder"],
  ["judge"],
  ["gate"],
  ["repo"],
  ["memories"],
  ["history"],
  ["search"],
  ["review"],
  ["palace"],
  ["documents"],
  ["recall"],
  ["mind"],
  ["care"],
  ["session"],
  ["doors", "index.ts", "testing.ts"],
];

/** Doors of their own, for the verifier and for testing, besides the doors of their rooms. */
const PACKAGE_ENTRIES = new Set([
  "src/core/merkle/proof.ts",
  "src/storage/testing.ts",
  "src/search/embed/testing.ts",
]);
/** The door of the session, and the part of it that every start of a program loads. */
const SESSION_DOORS = new Set(["src/session/index.ts", "src/session/opening.ts"]);
/** Rooms of ideas: what they answer follows from what they are given. */
const PURE = ["core/base", "core/merkle", "core/ledger", "language", "index", "gate"];
/** Hashing, randomness and the tables of a package, read when first used, are what pure rooms take from outside. */
const IMPURE_FILES = new Set([
  "src/core/base/hash.ts",
  "src/core/base/ports.ts",
  "src/core/merkle/proof-fields.ts",
  "src/index/checked-bytes.ts",
  "src/index/image.ts",
  "src/language/stem.ts",
]);
const TERMINAL = new Set(["commander", "picocolors"]);

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** The file meant, when it is one of ours. */
  readonly target: string | undefined;
  readonly kind: "static" | "type" | "dynamic";
}

const FROM = /^(?:import|export)\s+(type\s+)?[\w\s{},*$]*?\bfrom\s+["']([^"']+)["']/gm;
const BARE = /^import\s+["']([^"']+)["']/gm;
const CALL = /\b(?:import|require)\(\s*["']([^"']+)["']\s*\)/g;
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*).*$/gm;

export function importsOf(path: string, text: string): Import[] {
  const code = text.replace(COMMENT_LINE, "");
  const found: Import[] = [];
  const add = (specifier: string, kind: Import["kind"]) =>
    found.push({ from: path, specifier, target: resolve(path, specifier), kind });
  for (const [, type, specifier] of code.matchAll(FROM)) add(specifier!, type ? "type" : "static");
  for (const [, specifier] of code.matchAll(BARE)) add(specifier!, "static");
  for (const [, specifier] of code.matchAll(CALL)) add(specifier!, "dynamic");
  return found;
}

function resolve(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const parts = path.split("/").slice(0, -1);
  for (const step of specifier.replace(/\.js$/, ".ts").split("/")) {
    if (step === "..") parts.pop();
    else if (step !== ".") parts.push(step);
  }
  return parts.join("/");
}

const sources = (tree: Tree): [string, string][] =>
  [...tree].filter(
    ([path]) => path.startsWith("src/") && path.endsWith(".ts") && !/\.test\.ts$|\/_[^/]+$/.test(path),
  );
const allImports = (tree: Tree): Import[] => sources(tree).flatMap(([path, text]) => importsOf(path, text));
const moduleOf = (path: string): string => {
  const [, first = "", second] = path.split("/");
  return first === "core" ? `core/${second}` : first;
};
const rankOf = (module: string): number => RANKS.findIndex((rank) => rank.includes(module));
const isPackage = (found: Import): boolean => !found.target && !found.specifier.startsWith("node:");
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
const inside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

export function importOrder(tree: Tree): string[] {
  const problems = new Set<string>();
  for (const [path] of sources(tree))
    if (rankOf(moduleOf(path)) < 0)
      problems.add(`src/${moduleOf(path)} has no place in the import order; give it one in RANKS`);
  for (const { from, target } of allImports(tree)) {
    if (!target?.startsWith("src/")) continue;
    const [here, there] = [moduleOf(from), moduleOf(target)];
    if (here !== there && rankOf(there) >= rankOf(here) && rankOf(here) >= 0)
      problems.add(`${from} imports ${target}, but ${there} is not below ${here}`);
  }
  return [...problems];
}

export function deepImports(tree: Tree): string[] {
  return (
    allImports(tree)
      .filter(({ from, target }) => target && moduleOf(from) !== moduleOf(target))
      // What is loaded later is named by its file, so that no more is loaded than what is used.
      .filter(({ target, kind }) => kind !== "dynamic" || !target!.startsWith("src/"))
      .filter(({ target }) => target !== `src/${moduleOf(target!)}/index.ts` && !PACKAGE_ENTRIES.has(target!))
      .filter(({ target }) => !SESSION_DOORS.has(target!))
      .map(
        ({ from, target }) => `${from} imports ${target}; come in through src/${moduleOf(target!)}/index.ts`,
      )
  );
}

export function ownDoor(tree: Tree): string[] {
  return allImports(tree)
    .filter(({ from, target }) => target?.endsWith("/index.ts") && inside(from, folderOf(target)))
    .map(({ from, target }) => `${from} imports ${target}, its own door; import the file that is meant`);
}

export function missingDoors(tree: Tree): string[] {
  const modules = new Set(
    sources(tree)
      .map(([path]) => path)
      .filter((path) => path.split("/").length > 2)
      .map(moduleOf),
  );
  // Nobody imports the doors to the outside world; each is a program.
  modules.delete("doors");
  return [...modules]
    .filter((module) => !tree.has(`src/${module}/index.ts`))
    .map((module) => `src/${module} has no index.ts`);
}

/** Storage adapters are leaves: they know the port, and only the entries of storage know them. */
export function adapters(tree: Tree): string[] {
  const adapterOf = (path: string): string | undefined =>
    /^src\/storage\/(?!contract\/)[^/]+(?=\/)/.exec(path)?.[0];
  const problems: string[] = [];
  for (const { from, target, kind } of allImports(tree)) {
    const adapter = target && adapterOf(target);
    if (!adapter || inside(from, adapter)) continue;
    if (adapterOf(from)) problems.push(`${from} imports ${target}, another adapter`);
    else if (from !== "src/storage/index.ts" && !PACKAGE_ENTRIES.has(from) && kind !== "dynamic")
      problems.push(`${from} imports ${target}; only the entries of storage import an adapter`);
    else if (target !== `${adapter}/index.ts`)
      problems.push(`${from} imports ${target}; come in through ${adapter}/index.ts`);
  }
  return problems;
}

/** Counts every kind of import: two files that need each other's types are one idea, or a third file is missing. */
export function cycles(tree: Tree): string[] {
  const edges = new Map<string, string[]>();
  for (const { from, target } of allImports(tree))
    if (target && tree.has(target)) edges.set(from, [...(edges.get(from) ?? []), target]);
  const problems: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) problems.push(`import cycle: ${[...trail.slice(at), path].join(" -> ")}`);
    if (at >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return problems;
}

/** The verifier is the files proof*.ts of merkle: they know each other, hashing, and nothing else. */
export function proofStandsAlone(tree: Tree): string[] {
  const isVerifier = (path: string | undefined): boolean =>
    /^src\/core\/merkle\/proof(-[a-z]+)*\.ts$/.test(path ?? "");
  return allImports(tree)
    .filter(
      ({ from, target, specifier }) => isVerifier(from) && !isVerifier(target) && specifier !== "node:crypto",
    )
    .map(({ from, specifier }) => `${from} imports ${specifier}; a verifier needs nothing but node:crypto`);
}

export function pureModules(tree: Tree): string[] {
  return allImports(tree)
    .filter(({ from, target }) => PURE.includes(moduleOf(from)) && !IMPURE_FILES.has(from) && !target)
    .map(({ from, specifier }) => `${from} imports ${specifier}, but ${moduleOf(from)} is pure`);
}

export function terminalPackages(tree: Tree): string[] {
  return allImports(tree)
    .filter(({ from, specifier }) => TERMINAL.has(packageOf(specifier)) && moduleOf(from) !== "doors")
    .map(({ from, specifier }) => `${from} imports ${specifier}; only src/doors talks to a terminal`);
}

/** The proof verifier stands alone as a package entry, so a door may use it as any program would. */
export function doorsAreThin(tree: Tree): string[] {
  return allImports(tree)
    .filter(({ from, target }) => moduleOf(from) === "doors" && target && !inside(target, "src/doors"))
    .filter(({ target }) => !SESSION_DOORS.has(target!) && target !== "src/core/merkle/proof.ts")
    .map(({ from, target }) => `${from} imports ${target}; a door imports src/session/index.ts only`);
}

export function namedSurface(tree: Tree): string[] {
  const surface = tree.get("src/index.ts") ?? "";
  return [...surface.matchAll(/^export\s+(?:type\s+)?\*.*$/gm)].map(
    ([line]) => `src/index.ts says \`${line}\`; name every export`,
  );
}

export function defaultExports(tree: Tree): string[] {
  return sources(tree)
    .filter(([, text]) => /^export\s+default\b|^export\s*\{[^}]*\bas\s+default\b/m.test(text))
    .map(([path]) => `${path} has a default export; name it`);
}

/** Importing the library loads no package: what a caller does not use is neither loaded nor needed. */
export function rootLoads(tree: Tree, root = "src/index.ts"): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const chain = [...trail, path];
    for (const found of importsOf(path, tree.get(path) ?? "")) {
      if (found.kind !== "static") continue;
      if (found.target) visit(found.target, chain);
      else if (isPackage(found) || found.specifier === "node:sqlite")
        problems.push(`${[...chain, found.specifier].join(" -> ")}; load it with import() where it is used`);
    }
  };
  visit(root, []);
  return problems;
}

export function longFiles(tree: Tree, allowed: ReadonlyMap<string, string>, limit = 600): string[] {
  const problems: string[] = [];
  const long = new Set<string>();
  for (const [path, text] of sources(tree)) {
    const lines = text.trimEnd().split("\n").length;
    if (lines <= limit) continue;
    long.add(path);
    if (!allowed.has(path)) problems.push(`${path} has ${lines} lines; is it still one idea?`);
  }
  for (const path of allowed.keys())
    if (!long.has(path)) problems.push(`${path} is allowed to be long and is not; take it off the list`);
  return problems;
}

/**
 * A fragment is a small file that one other file of its room imports: it is a part of that file's idea. Tables of verbs, options
 * and doors are read by their names; a command or a tool is a file by itself.
 */
export function fragments(tree: Tree, allowed: ReadonlyMap<string, string>, limit = 40): string[] {
  const importers = new Map<string, Set<string>>();
  const late = new Set<string>();
  for (const { from, target, kind } of allImports(tree)) {
    if (!target || from.endsWith("/index.ts")) continue;
    if (kind === "dynamic") late.add(target);
    importers.set(target, (importers.get(target) ?? new Set()).add(from));
  }
  const isNamed = (path: string): boolean =>
    /\/(?:index|options|verbs|opening|testing)\.ts$|\/(?:commands|tools)\//.test(path);
  const found = sources(tree)
    .filter(([path, text]) => text.trimEnd().split("\n").length <= limit && !isNamed(path) && !late.has(path))
    .filter(([path]) => importers.get(path)?.size === 1 && !tree.has(path.replace(/\.ts$/, ".test.ts")))
    .map(([path]) => path);
  const problems = found
    .filter((path) => !allowed.has(path))
    .map((path) => `${path} serves ${[...importers.get(path)!][0]} alone; put it there, or say why not`);
  for (const path of allowed.keys())
    if (!found.includes(path)) problems.push(`${path} is no fragment; take it off the list`);
  return problems;
}

/**
 * The only ways to the storage: admit.ts writes into a draft, writer.ts makes and commits drafts, commit.ts moves names and
 * erases. Care copies whole stores and drops what nothing leads to, under its lease; a scratchpad makes an empty store.
 */
const WRITES: readonly (readonly [pattern: RegExp, allowed: RegExp, problem: string])[] = [
  [
    /\b\w*[dD]raft\.write\(/,
    /^src\/memories\/admit\.ts$/,
    "writes past src/memories/admit.ts, where the gate stands",
  ],
  [
    /\bnew Draft\(/,
    /^src\/(?:repo\/write\/writer|care\/erase-plan)\.ts$/,
    "makes a draft, which only the writer queue does",
  ],
  [
    /\.(?:transact|exclusive)\(/,
    /^src\/(?:repo\/write\/(?:writer|commit)|care\/(?:backup|checkpoint-nodes|gc|repair|restore|verbs\/fill-store)|palace\/scratchpad|storage\/.*)\.ts$/,
    "commits by itself, which only src/repo/write and the upkeep of whole stores do",
  ],
];

/** What only looks. Whoever reads or writes a file asks storage, which opens plain files only and follows no link that it should not. */
const LOOKS =
  /^(?:l?stat|statfs|fstat|readdir|realpath|access|exists)(?:Sync)?$|^(?:opendir|constants|closeSync|readSync)$/;
const OF_FILES =
  /^(?:import|export)\s+(?!type\b)([^;]*?)\s+from\s+["']node:fs(?:\/promises)?["']|\bconst\s+([^;=]*?)\s*=\s*await\s+import\(["']node:fs(?:\/promises)?["']\)/gm;
const ANY_OF_FILES = /["']node:fs(?:\/promises)?["']/g;

export function filesAreOpenedInOnePlace(tree: Tree, allowed: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  for (const [path, text] of sources(tree)) {
    const code = text.replace(COMMENT_LINE, "").replace(/^import type .*$/gm, "");
    const imports = [...code.matchAll(OF_FILES)].map(([, late, early]) => late ?? early ?? "");
    const names = imports.flatMap((list) =>
      list.startsWith("{") ? list.replace(/[{}]/g, "").split(",") : [list],
    );
    const touching = names
      .map((name) => name.trim().replace(/\s+as\s.*$/, ""))
      .filter((name) => name !== "" && !name.startsWith("type ") && !LOOKS.test(name));
    // A way to import that is not understood here could bring in anything.
    if ((code.match(ANY_OF_FILES) ?? []).length > imports.length) touching.push("node:fs");
    if (touching.length === 0 || path.startsWith("src/storage/")) continue;
    used.add(path);
    if (!allowed.has(path))
      problems.push(`${path} uses ${touching.join(", ")} by itself; files are opened and written by storage`);
  }
  for (const path of allowed.keys())
    if (!used.has(path)) problems.push(`${path} is allowed to open files and does not; take it off the list`);
  return problems;
}

export function writesPassTheGate(tree: Tree): string[] {
  const problems: string[] = [];
  for (const [path, text] of tree) {
    if (path.endsWith(".test.ts")) continue;
    for (const [pattern, allowed, problem] of WRITES)
      if (pattern.test(text.replace(COMMENT_LINE, "")) && !allowed.test(path))
        problems.push(`${path} ${problem}`);
  }
  return problems;
}
