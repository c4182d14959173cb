import { usage } from "./fail.js";
import type { OptionSpec, Options } from "./options.js";

/** What may stand before or after every command. */
export const GLOBALS: readonly OptionSpec[] = [
  {
    flags: "-C, --store <dir>",
    description: "the store, or postgres://…; default $PAL_HOME, else your data directory",
  },
  { flags: "--branch <name>", description: "default $PAL_BRANCH, else your last checkout, else main" },
  { flags: "--agent <name>", description: "who you are; default $PAL_AGENT, else your user name" },
  {
    flags: "--scopes <a,b,…>",
    description: "what you see; default shared, your own, the repository's",
  },
  {
    flags: "--clearance <level>",
    description: "how sensitive it may be; default confidential at a terminal, else private",
    choices: ["normal", "private", "confidential"],
  },
  { flags: "--operator", description: "write with the trust of the operator" },
  { flags: "--session <id>", description: "session of the memories; default $PAL_SESSION" },
  {
    flags: "--at <point>",
    description: "read as of a commit, branch, tag, snapshot or time; HEAD~2 is two commits back",
  },
  { flags: "--json", description: "answer with one JSON value" },
  { flags: "--quiet", description: "no progress, no notes; a write answers with its id" },
  { flags: "--no-color", description: "no colours (also NO_COLOR; FORCE_COLOR for the opposite)" },
  { flags: "-v, --verbose", description: "say more: the store's own log, causes of failures" },
];

export interface Globals {
  readonly store: string | undefined;
  readonly branch: string | undefined;
  readonly agent: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly clearance: "normal" | "private" | "confidential" | undefined;
  readonly operator: boolean;
  readonly session: string | undefined;
  readonly at: string | undefined;
}

export function globalsOf(options: Options): Globals {
  const named = (name: string): string | undefined => {
    const value = options.text(name);
    if (value?.trim() === "") throw usage(`--${name} is empty.`, `Give a value, or leave --${name} out.`);
    return value;
  };
  const scopes = named("scopes")
    ?.split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  if (scopes?.length === 0)
    throw usage("--scopes names no scope.", "For example --scopes shared,agent/orion.");
  return {
    store: named("store"),
    branch: named("branch"),
    agent: named("agent"),
    scopes,
    clearance: named("clearance") as Globals["clearance"],
    operator: options.flag("operator"),
    session: named("session"),
    at: named("at"),
  };
}

/** The point in time that was asked for, as reading verbs take it. */
export const at = ({ globals }: { readonly globals: Globals }): { readonly at?: string } =>
  globals.at === undefined ? {} : { at: globals.at };
