import { accessSync, constants } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readPlainSync } from "../../session/opening.js";
import { CliError } from "./fail.js";
import { typedPath } from "./fixes.js";
import type { Io } from "./io.js";
import { problemOf, SETTINGS, type SettingValue } from "./settings.js";

/**
 * `$PAL_CONFIG`, else `config.yaml` in the directory of the store. Empty for a store in a database whose settings nobody
 * named: there is no folder to look in.
 */
export const configPath = ({ env, cwd }: Io, location: string): string =>
  env.PAL_CONFIG
    ? resolve(cwd, env.PAL_CONFIG)
    : /^postgres(?:ql)?:\/\//i.test(location)
      ? ""
      : join(location, "config.yaml");

export interface Config {
  readonly values: ReadonlyMap<string, SettingValue>;
  /** What is wrong in the file, with the command that mends it. */
  readonly problems: readonly { readonly key: string; readonly problem: string; readonly fix: string }[];
}

const NOTHING: Config = { values: new Map(), problems: [] };

/** Reads the file; the parser is loaded only if there is one. */
export async function readConfig(path: string): Promise<Config> {
  const text = textOf(path);
  if (text === undefined) return NOTHING;
  const { wrong, said } = await parsed(text);
  if (wrong)
    return {
      ...NOTHING,
      problems: [{ key: path, problem: wrong, fix: `\${EDITOR:-vi} ${typedPath(path)}` }],
    };
  const values = new Map<string, SettingValue>();
  const problems: { key: string; problem: string; fix: string }[] = [];
  for (const [key, value] of leavesOf(said)) {
    const problem = problemOf(key, value);
    if (problem === undefined) values.set(key, value as SettingValue);
    else problems.push({ key, problem, fix: `pal config unset ${typedPath(key)}` });
  }
  return { values, problems };
}

/** The same for whoever is about to act on it: what is wrong is an error, because a rule may be missing. */
export async function trustedConfig(path: string): Promise<Config> {
  const config = await readConfig(path);
  const [wrong] = config.problems;
  if (!wrong) return config;
  const what = wrong.key === path ? `${path} ${wrong.problem}` : `${wrong.key} in ${path}: ${wrong.problem}`;
  throw new CliError("USAGE", `The configuration cannot be used: ${what}.`, `Mend it: ${wrong.fix}`);
}

/** Writes one value, undefined takes it away; comments and everything else stay as they are. */
export async function writeSetting(
  path: string,
  key: string,
  value: SettingValue | undefined,
): Promise<void> {
  const text = textOf(path);
  const { document, wrong } = await parsed(text ?? HEADER);
  if (wrong) throw new CliError("USAGE", `${path} ${wrong}.`, "Mend it by hand first.");
  const { isMap } = await import("yaml");
  const at = key.split(".");
  for (let end = 1; end < at.length; end++) {
    const above = document.getIn(at.slice(0, end));
    if (above === undefined || above === null || isMap(above)) continue;
    const name = at.slice(0, end).join(".");
    throw new CliError("USAGE", `${name} in ${path} holds no settings.`, `Mend it: pal config unset ${name}`);
  }
  if (value !== undefined) document.setIn(at, value);
  else if (!document.hasIn(at)) return;
  else {
    document.deleteIn(at);
    // Without the last of its settings a heading goes too.
    for (
      let above = at.slice(0, -1);
      above.length > 0 && isEmpty(document.getIn(above));
      above = above.slice(0, -1)
    )
      document.deleteIn(above);
  }
  const { editFile } = await import("../../session/index.js");
  await editFile(path, text, document.toString(), { makes: { mode: 0o700 } });
}

/** What a file says, or why it says nothing. */
async function parsed(text: string) {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { logLevel: "silent" });
  const [error] = document.errors;
  if (error) return { document, wrong: `is not YAML: ${firstLine(error.message)}` };
  try {
    // Names of other parts are looked up here, and a few of them may stand for more than anybody can hold.
    const said: unknown = document.toJS({ maxAliasCount: 10 });
    return { document, said, wrong: noSettings(said) };
  } catch (unknown) {
    return { document, wrong: `is not YAML: ${firstLine((unknown as Error).message)}` };
  }
}

const isEmpty = (node: unknown): boolean => (node as { items?: unknown[] } | null)?.items?.length === 0;

/** Comments alone are a file without settings; a list or a word is no such file. */
const noSettings = (value: unknown): string | undefined =>
  value === null || (typeof value === "object" && !Array.isArray(value)) ? undefined : "holds no settings";

const LARGEST = 4 << 20;

const HEADER = "# Settings of this memory; `pal config` lists what can be set.\n";

/** Nobody can tell then what lies in it, or whether anything does. */
export function isClosed(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

function textOf(path: string): string | undefined {
  // What says that there is to be no file.
  if (path === devNull) return undefined;
  try {
    return readPlainSync(path, LARGEST).toString();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "INVALID_FILE") throw error;
    if (
      (error as NodeJS.ErrnoException).code === "ENOENT" ||
      (error as NodeJS.ErrnoException).code === "ENOTDIR"
    )
      return undefined;
    if (isClosed(dirname(path)))
      throw new CliError(
        "FILE_UNUSABLE",
        `The directory ${dirname(path)} may not be entered.`,
        "See who owns it (`ls -ld`), or choose another with --store; `pal doctor` tells more.",
        3,
      );
    throw new CliError("FILE_UNUSABLE", `Cannot read ${path}.`, "Check its permissions.", 3);
  }
}

/** Every value with the path of its key; a mapping that is itself a setting, or none, is told as a whole. */
function* leavesOf(value: unknown, path = ""): Generator<readonly [string, unknown]> {
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  if (path === "" && (value === null || value === undefined)) return;
  if (!isMapping || Object.hasOwn(SETTINGS, path)) yield [path, value];
  else
    for (const [name, below] of Object.entries(value as object))
      yield* leavesOf(below, path === "" ? name : `${path}.${name}`);
}

/** The parser goes on to show the place in the file; the line says enough. */
const firstLine = (message: string): string => (message.split("\n")[0] as string).replace(/:$/, "");
