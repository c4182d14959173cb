import { usage } from "./fail.js";
import type { Options, OptionSpec } from "./options.js";

/** What may stand before or after every command. */
export const GLOBALS: readonly OptionSpec[] = [
  { flags: "-C, --store <dir>", description: "the store; default $PAL_HOME, else the platform's data directory" },
  { flags: "--branch <name>", description: "branch to read and write; default $PAL_BRANCH, else main" },
  { flags: "--agent <name>", description: "who you are; default $PAL_AGENT, else the user of the system" },
  { flags: "--scopes <a,b,…>", description: "what you see; default shared, agent/<agent> and project/<repository>" },
  {
    flags: "--clearance <level>",
    description: "how sensitive a memory you may see; at a terminal confidential, else private",
    choices: ["normal", "private", "confidential"],
  },
  { flags: "--operator", description: "write with the trust of the operator" },
  { flags: "--session <id>", description: "the session a memory belongs to; default $PAL_SESSION" },
  { flags: "--at <commit|time>", description: "read the state as it was then" },
  { flags: "--json", description: "answer with one JSON value" },
  { flags: "--quiet", description: "no talk: no progress, no notes; a write answers with its id" },
  { flags: "--no-color", description: "no colours; NO_COLOR and FORCE_COLOR are honoured too" },
  { flags: "-v, --verbose", description: "say more when something fails" },
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
