import { canonical, isDeepYaml, type Json, PalimpsestError } from "../core/base/index.js";

/** The settings that mean something to us; a file may hold more. */
export interface PalaceConfig {
  readonly scratchpad?: {
    /** Seconds that an entry lives by default. */
    readonly ttl?: number;
  };
  readonly promotion?: {
    /** Words of a summary, and the place (`room/drawer`) that such a summary goes to. */
    readonly routes?: { readonly [word: string]: string };
  };
}

/** What a new palace starts with. */
export const DEFAULT_CONFIG = `# Settings of the memory palace. Comments stay when a setting is changed.
scratchpad:
  # Seconds that an entry lives unless told otherwise.
  ttl: 3600
promotion:
  # Words of a summary, and the room/drawer that it then goes to.
  routes: {}
`;

/** Reads settings. What is not as it should be counts as not said, so that a slip locks nobody out. */
export async function readConfig(text: string): Promise<PalaceConfig> {
  if (isDeepYaml(text)) return {};
  const { parse } = await import("yaml");
  let parsed: unknown;
  try {
    parsed = parse(text, OPTIONS);
  } catch {
    return {};
  }
  const scratchpad = record(record(parsed).scratchpad);
  const routes = Object.entries(record(record(record(parsed).promotion).routes)).filter(
    (route): route is [string, string] => typeof route[1] === "string",
  );
  const { ttl } = scratchpad;
  return {
    ...(typeof ttl === "number" && ttl > 0 && { scratchpad: { ttl } }),
    ...(routes.length > 0 && { promotion: { routes: Object.fromEntries(routes) } }),
  };
}

/** Sets one setting (`scratchpad.ttl`), or removes it, and leaves everything else as somebody wrote it, comments too. */
export async function editConfig(text: string, key: string, value: Json | undefined): Promise<string> {
  const path = key.split(".");
  if (path.length > 100 || path.some((part) => part === ""))
    throw new PalimpsestError("INVALID_NAME", `Not the name of a setting: ${JSON.stringify(key)}.`, {
      hint: "Name it as in scratchpad.ttl.",
    });
  if (isDeepYaml(text))
    throw new PalimpsestError("INVALID_FILE", "The settings are nested deeper than anybody reads.", {
      hint: "Write them anew in config/mempalace.yaml, and `pal palace sync`.",
    });
  // What cannot be written is refused before it is looked at deeper.
  if (value !== undefined) canonical(value);
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, OPTIONS);
  const [error] = document.errors;
  if (error) throw new PalimpsestError("INVALID_FILE", `The settings are no YAML: ${error.message}`);
  try {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, value);
    return document.toString({ lineWidth: 0 });
  } catch (cause) {
    throw new PalimpsestError(
      "INVALID_FILE",
      `${JSON.stringify(key)} has no place in the settings as they are.`,
      {
        hint: "Settings are names with values or with settings below them; see `pal palace config`.",
        cause,
      },
    );
  }
}

const OPTIONS = { logLevel: "silent", maxAliasCount: 0, uniqueKeys: false } as const;

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
