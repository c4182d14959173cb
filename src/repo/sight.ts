import { PalimpsestError, parseScope, quote, type Scope, SHARED } from "../core/base/index.js";
import { clears, type MemoryRecord, type Sensitivity, sensitivityOf } from "../core/ledger/index.js";

/** What a session may see: fixed when it is opened, so that no call can widen it. */
export interface Sight {
  readonly clearance: Sensitivity;
  /** The scopes by name in which a bare id is looked for, in order; patterns see more than these. */
  readonly named: readonly Scope[];
  /** Are there patterns, so that scopes not named here may be visible too? */
  readonly open: boolean;
  /** Is nothing at all hidden from it? */
  readonly isWhole: boolean;
  /** Does it see every scope, also those that are gone or yet to come, though perhaps not everything in them? */
  readonly isEverywhere: boolean;
  sees(scope: Scope): boolean;
  seesRecord(record: MemoryRecord): boolean;
}

/** `scopes` are exact names or patterns with `*` (`project/*`, or `*` for everything). */
export function makeSight(scopes: readonly string[], clearance: Sensitivity): Sight {
  const patterns = scopes.filter((scope) => scope.includes("*")).map(toPattern);
  const named = scopes.filter((scope) => !scope.includes("*")).map(parseScope);
  const exact = new Set<string>(named);
  const sees = (scope: Scope): boolean => exact.has(scope) || patterns.some((pattern) => pattern.test(scope));
  const isEverywhere = scopes.includes("*");
  return {
    clearance,
    named: [...new Set([...named, ...(sees(SHARED) ? [SHARED] : [])])].sort(byOrder),
    open: patterns.length > 0,
    isEverywhere,
    isWhole: isEverywhere && clearance === "confidential",
    sees,
    seesRecord: (record) => sees(record.scope) && clears(clearance, sensitivityOf(record)),
  };
}

/** The order of lookup: the agent's own scope, then projects, then others, `shared` last. */
export const byOrder = (a: Scope, b: Scope): number => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);

const rank = (scope: Scope): number =>
  scope.startsWith("agent/") ? 0 : scope.startsWith("project/") ? 1 : scope === SHARED ? 3 : 2;

function toPattern(scope: string): RegExp {
  if (scope !== "*" && !isScopeLike(scope))
    throw new PalimpsestError("INVALID_SCOPE", `Not a scope, nor a pattern of scopes: ${quote(scope)}.`, {
      hint: "Say * for everything, or a kind and a pattern of names: project/*, agent/re*.",
    });
  const escaped = scope.replace(/[.+]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${escaped}$`, "u");
}

/** A pattern stands for scopes, so it would be one with letters in place of its stars. */
function isScopeLike(pattern: string): boolean {
  try {
    return parseScope(pattern.replaceAll("*", "x")) !== undefined;
  } catch {
    return false;
  }
}
