import type { Lifetime } from "../../session/index.js";
import { PalimpsestError, toName } from "../../session/opening.js";

/** What the documents' one word "scope" means here: an audience, a lifetime, or a category. */
export interface ScopeMeant {
  readonly scope?: string;
  readonly lifetime?: Lifetime;
  readonly category?: string;
}

/** Which scopes the session sees, as far as names given at a door have to be told apart. */
export interface Seen {
  /** Where new memories go. */
  readonly home: string;
  readonly project: string | undefined;
  /** As given: exact names and patterns. */
  readonly names: readonly string[];
  sees(scope: string): boolean;
}

/** `scopes` are exact names, or patterns with `*`, as sessions take them. */
export function seen(scopes: readonly string[], home: string, project: string | undefined): Seen {
  const matches = (pattern: string, scope: string): boolean => {
    const [start = "", ...rest] = pattern.split("*");
    if (rest.length === 0) return scope === pattern;
    let at = scope.startsWith(start) ? start.length : -1;
    for (const part of rest.slice(0, -1)) {
      const found = at < 0 ? -1 : scope.indexOf(part, at);
      at = found < 0 ? -1 : found + part.length;
    }
    const end = rest.at(-1) as string;
    return at >= 0 && scope.length - end.length >= at && scope.endsWith(end);
  };
  return { home, project, names: scopes, sees: (scope) => scopes.some((pattern) => matches(pattern, scope)) };
}

const LIFETIMES: ReadonlySet<string> = new Set<Lifetime>(["permanent", "session", "temporary"]);
/** shared, and a name of these kinds, is meant as an audience; to take it for a category would show the memory to others. */
const AUDIENCE = /^(?:shared$|(?:agent|user|project|team)\/)/;

/**
 * memex is shared, `project` the present one, a bare agent name its own scope; permanent, session and temporary are
 * lifetimes. What is no visible scope is a category and never widens who sees a memory; a bare word that is no agent's in
 * sight is for the door to say.
 */
export function scopeMeant(
  word: string | undefined,
  { sees, project }: Seen,
  bare: "agent" | "category" = "category",
): ScopeMeant {
  if (word === undefined || word === "") return {};
  if (word === "memex") return { scope: "shared" };
  if (LIFETIMES.has(word)) return { lifetime: word as Lifetime };
  if (word === "project") {
    if (project !== undefined) return { scope: `project/${project}` };
    throw new PalimpsestError(
      "INVALID_SCOPE",
      'The scope "project" is that of the present project, and this was not started inside a project.',
      { hint: "Name the project, as in project/site, or use shared." },
    );
  }
  const isName = word === "shared" || word.includes("/");
  if (isName) return sees(word) || AUDIENCE.test(word) ? { scope: word } : { category: word };
  const own = `agent/${toName(word)}`;
  return bare === "agent" || sees(own) ? { scope: own } : { category: word };
}
