import { toName } from "../../session/opening.js";
import type { Call, Command } from "./command.js";
import type { Globals } from "./globals.js";
import { projectAround } from "./project.js";
import { type Seen, scopeMeant, seen } from "./scope-words.js";

type Values = Readonly<Record<string, unknown>>;

interface Named {
  readonly values: Values;
  readonly globals: Globals;
  /** What was given as a scope and taken for a category: worth saying, because it decides nothing about who sees it. */
  readonly category?: string;
}

/**
 * The scopes on a command line by our names, for every command alike: `memex` and its kin are the documents' words. A
 * lifetime or a category that was given as a scope is one where the command knows such an option and it is free; else the
 * word stays as it is, for the session to refuse.
 */
export function namedScopes(command: Command, given: Values, globals: Globals, io: Call["io"]): Named {
  const scopes = globals.scopes?.map((word) => audience(word, sightOf({ ...globals, scopes: [] }, io)));
  const known: Globals = scopes ? { ...globals, scopes } : globals;
  if (typeof given.scope !== "string") return { values: given, globals: known };
  const { scope: word, ...rest } = given;
  const { scope, lifetime, category } = scopeMeant(word, sightOf(known, io), "agent");
  const isFree = (name: string): boolean =>
    given[name] === undefined &&
    command.options?.some(({ flags }) => flags.startsWith(`--${name} `)) === true;
  if (scope !== undefined) return { values: { ...rest, scope }, globals: known };
  if (lifetime !== undefined && isFree("lifetime")) return { values: { ...rest, lifetime }, globals: known };
  if (category !== undefined && isFree("category"))
    return { values: { ...rest, category }, globals: known, category };
  return { values: given, globals: known };
}

/** Where a word says that a memory is, or is to be. */
export const scopeNamed = (word: string, { globals, io }: Pick<Call, "globals" | "io">): string =>
  audience(word, sightOf(globals, io));

const audience = (word: string, sight: Seen): string =>
  word.includes("*") ? word : (scopeMeant(word, sight, "agent").scope ?? word);

function sightOf({ agent, scopes }: Globals, io: Call["io"]): Seen {
  const around = projectAround(io.cwd);
  const project = around === undefined ? undefined : toName(around);
  const own = `agent/${toName(agent ?? (io.env.PAL_AGENT || io.user()))}`;
  const names = scopes ?? ["shared", own, ...(project === undefined ? [] : [`project/${project}`])];
  return seen(names, "shared", project);
}
