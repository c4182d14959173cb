import type { Layer, Session, Store } from "../../session/index.js";
import type { Watching } from "./watching.js";

/** What a server of one client stands on. Scopes and clearance live in the session: no call can widen them. */
export interface Door {
  readonly store: Store;
  readonly session: Session;
  readonly sight: Seen;
  readonly watching: Watching;
  readonly version: string;
  /** L3, where a repository or a forge was named. */
  readonly layers: readonly Layer[];
  /** Whether something was written that ends with the session: only then is there anything to clear away. */
  readonly wrote: { forSession: boolean };
  /** For people; never on stdout. */
  log(line: string): void;
}

/** Which scopes the session sees, as far as names given by a model have to be told apart. */
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
