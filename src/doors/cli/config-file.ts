import { accessSync, constants } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { GateConfig } from "../../session/index.js";
import { readPlainSync } from "../../session/opening.js";
import { CliError } from "./fail.js";
import { typedPath } from "./fixes.js";
import type { Io } from "./io.js";

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

export type SettingValue = boolean | number | string | readonly string[];

interface Setting {
  readonly description: string;
  readonly kind: "yes or no" | "number" | "text" | "list";
  readonly initial: SettingValue | undefined;
  /** Smallest and largest number. */
  readonly range?: readonly [number, number];
  readonly gate?: keyof GateConfig;
  readonly lane?: "belief" | "document" | "message";
}

const lane = (name: "belief" | "document" | "message", initial: number): Setting => ({
  description: `characters that a ${name} may have`,
  kind: "number",
  initial,
  range: [1, 1_000_000],
  gate: "limits",
  lane: name,
});

const price = (does: string): Setting => ({
  description: `price of a million tokens that a model ${does}, in your currency; costs are then told in money too`,
  kind: "number",
  initial: undefined,
  range: [0, 1_000_000],
});

/** Everything that can be set, by the path of its key in the file. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  "memory.enabled": {
    description: "no: nothing is remembered",
    kind: "yes or no",
    initial: true,
    gate: "enabled",
  },
  "memory.scopes": {
    description: "the only scopes that may be written; all if not set",
    kind: "list",
    initial: undefined,
    gate: "scopes",
  },
  "memory.max_items": {
    description: "how many items a list of proposals names",
    kind: "number",
    initial: 20,
    range: [1, 10_000],
    gate: "maxItems",
  },
  "memory.similarity_threshold": {
    description: "sequence ratio from which two texts may be duplicates",
    kind: "number",
    initial: 0.7,
    range: [0, 1],
    gate: "similarityThreshold",
  },
  "memory.token_overlap_threshold": {
    description: "share of common words from which two texts may be duplicates",
    kind: "number",
    initial: 0.6,
    range: [0, 1],
    gate: "tokenOverlapThreshold",
  },
  "memory.capacity": {
    description: "how many memories of a scope may always be shown to an agent",
    kind: "number",
    initial: 100,
    range: [0, 100_000],
    gate: "capacity",
  },
  "memory.beliefs_per_hour": {
    description: "new beliefs that one session may write in an hour; no limit if not set",
    kind: "number",
    initial: undefined,
    range: [0, 1_000_000],
    gate: "beliefsPerHour",
  },
  "memory.max_waiting": {
    description: "how many things of one author may wait for review on a branch",
    kind: "number",
    initial: 1_000,
    range: [0, 1_000_000],
    gate: "maxWaiting",
  },
  "memory.single_valued": {
    description: "predicates that have one value at a time, beside the usual ones",
    kind: "list",
    initial: undefined,
    gate: "singleValued",
  },
  "memory.off": {
    description: "checks of the gate that are left out",
    kind: "list",
    initial: undefined,
    gate: "off",
  },
  "memory.limits.belief": lane("belief", 1_200),
  "memory.limits.document": lane("document", 65_536),
  "memory.limits.message": lane("message", 65_536),
  "mind.price.in": price("reads"),
  "mind.price.out": price("writes"),
  embedder: {
    description: "what turns texts into vectors: minilm, openai[:model], ollama[:model] or none",
    kind: "text",
    initial: "minilm",
  },
};

/** What is wrong with a value; undefined when nothing is. */
export function problemOf(key: string, value: unknown): string | undefined {
  const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
  if (!setting) return "there is no such setting";
  const { kind, range } = setting;
  if (kind === "yes or no") return typeof value === "boolean" ? undefined : "must be true or false";
  if (kind === "list")
    return Array.isArray(value) && value.every((item) => typeof item === "string" && item.trim() !== "")
      ? undefined
      : "must be a list of words";
  if (kind === "text") {
    const isKnown = typeof value === "string" && /^(?:minilm|none|(?:openai|ollama)(?::.+)?)$/.test(value);
    return isKnown ? undefined : "must be minilm, openai[:model], ollama[:model] or none";
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
  const [least, most] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return value < least || value > most ? `must be from ${least} to ${most}` : undefined;
}

/** A value as it is typed: `true`, `0.8`, `a,b`. */
export function typedValue(key: string, text: string): unknown {
  const kind = SETTINGS[key]?.kind;
  if (kind === "yes or no")
    return /^(?:true|yes|on)$/i.test(text) || (/^(?:false|no|off)$/i.test(text) ? false : text);
  if (kind === "number") return text.trim() === "" ? text : Number(text);
  if (kind === "list")
    return text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "");
  return text;
}

/** What the gate is told; everything that is not set keeps its default. */
export function gateOf(values: ReadonlyMap<string, SettingValue>): GateConfig {
  const config: Record<string, unknown> = {};
  const limits: Record<string, unknown> = {};
  for (const [key, value] of values) {
    const { gate, lane: name } = SETTINGS[key] as Setting;
    if (name) limits[name] = value;
    else if (gate) config[gate] = value;
  }
  return { ...config, ...(Object.keys(limits).length > 0 && { limits }) } as GateConfig;
}
