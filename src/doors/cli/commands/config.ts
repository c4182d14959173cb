import type { Call, Command } from "../command.js";
import {
  configPath,
  problemOf,
  readConfig,
  SETTINGS,
  type SettingValue,
  trustedConfig,
  typedValue,
  writeSetting,
} from "../config-file.js";
import { CliError, usage } from "../fail.js";
import { clean, line } from "../line.js";
import { nearest } from "../named.js";
import { locationOf } from "../open.js";
import { widthOf, wrapped } from "../width.js";

export const command: Command = {
  name: "config",
  summary: "the settings of this memory: list, get, set or unset them",
  args: [
    { name: "[action]", description: "list (default), get, set or unset" },
    { name: "[key]", description: "such as memory.similarity_threshold" },
    { name: "[value]", description: "true or false, a number, a text, or words divided by commas" },
  ],
  examples: ["pal config", "pal config set memory.similarity_threshold 0.8", "pal config get embedder"],
  async run(call) {
    const [action = "list", key, text] = call.args;
    const path = configPath(call.io, await locationOf(call));
    if (path === "")
      throw usage("A store in a database has no folder for settings.", "Name a file in $PAL_CONFIG.");
    if (action === "list" && key === undefined) return list(call, path);
    if (!["get", "set", "unset"].includes(action))
      throw usage(`There is no ${JSON.stringify(action)} of settings.`, "Use list, get, set or unset.");
    if (key === undefined)
      throw usage(`Which setting?`, `Say \`pal config ${action} <key>\`; \`pal config\` lists them.`);
    if (!Object.hasOwn(SETTINGS, key)) {
      if (action === "unset") return unset(call, path, key);
      const meant = nearest(key, Object.keys(SETTINGS));
      throw usage(`There is no setting ${key}.`, meant ? `Did you mean ${meant}?` : "See `pal config`.");
    }
    if (action === "get") return get(call, path, key);
    if (action === "unset") return unset(call, path, key);
    if (text === undefined) throw usage(`Which value is ${key} to have?`, `Now: \`pal config get ${key}\`.`);
    return set(call, path, key, typedValue(key, text));
  },
};

async function list({ out }: Call, path: string): Promise<number> {
  const { values, problems } = await readConfig(path);
  const settings = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, { initial, description }]) => [
      key,
      { value: values.get(key) ?? initial ?? null, set: values.has(key), description },
    ]),
  );
  const longest = (texts: readonly string[]): number => Math.max(...texts.map(widthOf));
  const widths = [
    longest(Object.keys(settings)),
    Math.min(24, longest(Object.values(settings).map(({ value }) => shown(value)))),
  ] as const;
  const margin = " ".repeat(widths[0] + widths[1] + 4);
  await out.answer({ file: path, settings, problems }, (paint) => [
    line`${paint.dim(path)}`,
    ...Object.entries(settings).map(([key, { value, set: isSet, description }]) => {
      const name = clean(key).padEnd(widths[0]);
      const now = clean(shown(value)).padEnd(widths[1]);
      const said = wrapped(description, out.columns - margin.length).replaceAll("\n", `\n${margin}`);
      return line`${isSet ? paint.bold(name) : name}  ${isSet ? paint.green(now) : paint.dim(now)}  ${said}`;
    }),
  ]);
  await out.complain(
    problems.map(
      ({ key, problem, fix }) =>
        line`${out.talkPaint.red("✗")} ${key} ${problem}  ${out.talkPaint.cyan(`→ ${fix}`)}`,
    ),
  );
  return problems.length > 0 ? 1 : 0;
}

const shown = (value: SettingValue | null): string =>
  value === null ? "(not set)" : Array.isArray(value) ? value.join(", ") : String(value);

async function get({ out }: Call, path: string, key: string): Promise<number> {
  const { values } = await trustedConfig(path);
  const value = values.get(key) ?? SETTINGS[key]?.initial ?? null;
  await out.answer({ key, value, set: values.has(key) }, () => [shown(value)]);
  return 0;
}

async function set({ out }: Call, path: string, key: string, value: unknown): Promise<number> {
  const problem = problemOf(key, value);
  if (problem !== undefined)
    throw new CliError("USAGE", `${key} ${problem}.`, `It sets ${SETTINGS[key]?.description ?? ""}.`);
  await writeSetting(path, key, value as SettingValue);
  await out.answer({ key, value, file: path }, (paint) => [
    line`${paint.green("✓")} ${key} is ${paint.bold(shown(value as SettingValue))}`,
  ]);
  return 0;
}

async function unset({ out }: Call, path: string, key: string): Promise<number> {
  await writeSetting(path, key, undefined);
  await out.answer({ key, value: null, file: path }, (paint) => [
    line`${paint.green("✓")} ${key} is not set any more`,
  ]);
  return 0;
}
